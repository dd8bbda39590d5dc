import ProviderModel

/// A file that is on disk, whole and verified: what sidecars, credits and metadata are made from.
///
/// One for all who hear of it: it has many fields, and goes from hand to hand.
package final class DownloadedFile: Sendable {
    /// What was planned: item, media, place in the input.
    package let planned: PlannedDownload
    /// The file that was really fetched: a provider may have given another URL at the last moment.
    package let media: Media
    /// Where it is, below the folder of all downloads.
    package let path: String
    /// What it is.
    package let file: FetchedFile
    /// Whether it shares its content with a file that was there before.
    package let isDuplicate: Bool

    init(planned: PlannedDownload, media: Media, path: String, file: FetchedFile, isDuplicate: Bool) {
        self.planned = planned
        self.media = media
        self.path = path
        self.file = file
        self.isDuplicate = isDuplicate
    }
}
