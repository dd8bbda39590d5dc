import ProviderModel

/// A file that is on disk, whole and verified: what sidecars, credits and metadata are made from.
package struct DownloadedFile: Sendable {
    /// What was planned: item, media, place in the input.
    package var planned: PlannedDownload
    /// The file that was really fetched: a provider may have given another URL at the last moment.
    package var media: Media
    /// Where it is, below the folder of all downloads.
    package var path: String
    /// What it is.
    package var file: FetchedFile
    /// Whether it shares its content with a file that was there before.
    package var isDuplicate: Bool
}
