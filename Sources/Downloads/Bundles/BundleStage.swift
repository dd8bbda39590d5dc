import Dispatch
import Glibc
import ProviderModel
import Synchronization

/// Puts the files of a run into archives when all have come: those of each collection, those of each item of several, the others.
///
/// An archive is written anew beside the one that is there, and gets its name when it is whole; only then the files in it are removed.
/// What a killed run leaves lying about is taken in by the next one.
package final class BundleStage: Sendable {
    /// A file that is to go into an archive.
    struct Member: Hashable {
        let key: MediaKey
        /// The key of what was wanted, where the source had something else.
        let substituted: MediaKey?
        let path: String
        /// Its place among the others, from 1.
        let place: Int
    }

    /// The files of one archive.
    struct Group {
        /// The collection or the item that they are of; nil for the others of a run.
        let owner: Item?
        /// Whose files they are.
        let source: DownloadSource
        var members: [Member] = []
    }

    private struct State {
        var groups: [String: Group] = [:]
        var paths: Set<String> = []
    }

    private let bundle: DownloadOptions.Bundle
    private let writer: BundleWriter
    private let state = Mutex(State())

    /// A stage for the files of a folder; throws where the library is missing.
    init(
        _ bundle: DownloadOptions.Bundle, folder: DownloadFolder, archive: DownloadArchive?, credits: CreditLedger?,
        now: @escaping @Sendable () -> Int
    ) throws(DownloadError) {
        try ZIPLibrary.load()
        self.bundle = bundle
        writer = BundleWriter(bundle: bundle, folder: folder, archive: archive, credits: credits, now: now)
    }

    /// Adds a file that is there; one that is in an archive already stays there.
    func add(_ request: DownloadRequest, at path: String) {
        guard !BundlePath.isInside(path) else { return }
        let owner = request.isOneOfSeveral ? request.item : request.collection
        let place = request.isOneOfSeveral ? request.media.file ?? request.place : request.place
        let member = Member(key: request.key, substituted: request.substituted, path: path, place: place)
        state.withLock { state in
            guard state.paths.insert(path).inserted else { return }
            state.groups[archivePath(of: owner), default: Group(owner: owner, source: request.source)].members.append(
                member)
        }
    }

    /// Writes the archives one after the other, until the run is stopped.
    func run(isStopped: @escaping @Sendable () -> Bool, _ ended: @Sendable (BundleResult) -> Void) async {
        let groups = state.withLock { $0.groups }.sorted { $0.key < $1.key }
        for (path, group) in groups where !isStopped() {
            let result = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(returning: self.write(group, to: path, isStopped))
                }
            }
            if let result { ended(result) }
        }
    }

    /// What came of an archive; nil where there was nothing to do.
    private func write(_ group: Group, to path: String, _ isStopped: () -> Bool) -> BundleResult? {
        do {
            return try writer.write(group, to: path, isStopped)
        } catch is CancellationError { return nil } catch {
            return BundleResult(path: path, files: 0, paths: [:], failure: DownloadError(any: error, subject: path))
        }
    }

    /// The archive of a collection or an item: `unsplash/abc-red-foxes.zip`.
    private func archivePath(of owner: Item?) -> String {
        let ending = bundle.format.rawValue
        guard let owner else { return SafeFileName(bundle.name, ending: "." + ending).description }
        // `user:anna` is to be read in the name; no source has `user-anna` besides.
        var readable = owner
        readable.id = owner.id.replacing(":", with: "-")
        let subject = ItemSubject(item: readable, media: nil, provider: owner.provider, index: 0)
        var name = NameTemplate.default.name(of: subject)
        if name.hasAlteredIdentity {
            name = name.distinct(for: MediaKey(stored: "\(owner.provider):\(owner.id):"))
        }
        return name.path(ending: ending)
    }
}

/// The paths of files in archives: `unsplash/abc-red-foxes.zip/unsplash/1-fox.jpg`.
enum BundlePath {
    /// The archive that a path leads into; nil for the path of a file of its own.
    static func archive(of path: String) -> String? {
        for ending in [".zip/", ".cbz/", ".tar/"] {
            if let found = path.firstRange(of: ending) { return String(path[..<found.upperBound].dropLast()) }
        }
        return nil
    }

    /// Whether a path leads into an archive.
    static func isInside(_ path: String) -> Bool { archive(of: path) != nil }
}

/// What came of an archive of several files.
public struct BundleResult: Sendable {
    /// The archive's path below the folder of downloads.
    public let path: String
    /// The number of files that it holds now.
    public let files: Int
    /// Where the files of this run are now, by the paths that they had below the folder.
    public let paths: [String: String]
    /// Why it was not written; nil where it was.
    ///
    /// Its files are there as they were.
    public let failure: DownloadError?
}
