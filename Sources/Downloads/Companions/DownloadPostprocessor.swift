import ProviderModel

/// Something that goes along with every download: what is written beside a file or into it.
///
/// Companions are called in the order in which they were given, for each file from one task at a time.
package protocol DownloadPostprocessor: Sendable {
    /// Whether what it does with a file takes next to no time, so that it holds up no transfers.
    var isQuick: Bool { get }

    /// Whether it has to know the SHA-256 of what was fetched.
    var needsSHA256: Bool { get }

    /// Changes a finished and verified file before it gets its name; returns what it is then.
    func change(
        _ part: PartFile, of planned: PlannedDownload, from media: Media, _ file: FetchedFile
    ) throws -> FetchedFile

    /// Notes what is about to get its name, at one of these paths.
    func announce(_ planned: PlannedDownload, from media: Media, at paths: [String]) throws

    /// Notes a file that is in its place.
    func note(_ file: DownloadedFile) throws

    /// Notes a file that was there before; `record` asks what the archive knows of it.
    func note(_ wanted: WantedFile, presentAt path: String, _ record: () throws -> ArchiveRecord?) throws

    /// Whether it is time to write what was noted.
    var isDue: Bool { get }

    /// Writes what was noted, which may take time.
    func write() throws

    /// Ends a run; `isComplete` says whether all was done that there was to do.
    func finish(isComplete: Bool) throws
}

extension DownloadPostprocessor {
    package var isQuick: Bool { false }

    package var needsSHA256: Bool { false }

    package func change(
        _ part: PartFile, of planned: PlannedDownload, from media: Media, _ file: FetchedFile
    ) throws -> FetchedFile { file }

    package func announce(_ planned: PlannedDownload, from media: Media, at paths: [String]) throws {}

    package func note(_ file: DownloadedFile) throws {}

    package func note(_ wanted: WantedFile, presentAt path: String, _ record: () throws -> ArchiveRecord?) throws {}

    package var isDue: Bool { false }

    package func write() throws {}

    package func finish(isComplete: Bool) throws {}
}
