import ProviderModel

/// Where finished files go: a folder, or something that takes them in, such as an archive of many.
package protocol DownloadStore: Sendable {
    /// The path of a file that was stored before; nil when it has to be fetched.
    ///
    /// A file may have another ending than was planned, because its content says so; each ending costs a look.
    func existing(_ planned: PlannedDownload, underAnyEnding: Bool) throws -> String?

    /// Whether the file may have been stored before this run; false only where that is certain without looking for it.
    func mayHold(_ planned: PlannedDownload) throws -> Bool

    /// The path of a file that was stored since it was planned; asked by whoever has the place where it is put together.
    func arrived(_ planned: PlannedDownload, underAnyEnding: Bool) throws -> String?

    /// Opens the place where the file is put together; throws `.busy` when another process is at it.
    func open(_ planned: PlannedDownload) throws(DownloadError) -> PartFile

    /// Where a finished file will be, if no other has that name; none where files have no paths of their own yet.
    func paths(for planned: PlannedDownload, _ file: FetchedFile) -> [String]

    /// Takes a finished and verified file that came from `media`; returns its path below the store's.
    func keep(
        _ part: PartFile, of planned: PlannedDownload, from media: Media, _ file: FetchedFile
    ) throws(DownloadError) -> String

    /// Whether the file of a record is still there as it was, and is of this content.
    func holds(_ record: ArchiveRecord, _ content: ContentHash) -> Bool

    /// Lets a finished file share the blocks of a record's; false where that cannot be.
    func share(_ part: PartFile, contentOf record: ArchiveRecord, _ file: FetchedFile) -> Bool

    /// The hash of a file that is there already.
    func hash(of path: String) -> (hash: ContentHash, bytes: Int)?

    /// Whether it keeps the SHA-256 of its files.
    var needsSHA256: Bool { get }
}

extension DownloadStore {
    package func mayHold(_ planned: PlannedDownload) throws -> Bool { true }

    package func arrived(_ planned: PlannedDownload, underAnyEnding: Bool) throws -> String? {
        try existing(planned, underAnyEnding: underAnyEnding)
    }

    package func holds(_ record: ArchiveRecord, _ content: ContentHash) -> Bool { false }

    package func share(_ part: PartFile, contentOf record: ArchiveRecord, _ file: FetchedFile) -> Bool { false }

    package func hash(of path: String) -> (hash: ContentHash, bytes: Int)? { nil }

    package var needsSHA256: Bool { false }
}
