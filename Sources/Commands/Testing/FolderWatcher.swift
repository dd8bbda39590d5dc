import Dispatch
import Glibc
import ImgScript
import ProviderModel

/// Reports which files of some folders change, by inotify(7).
///
/// Folders are watched and not files, so that an editor may write a file in place or put a new one over it.
/// `@unchecked Sendable`: what changes is touched on `queue` only.
final class FolderWatcher: @unchecked Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "imgscript-watch")
    private var folders: [Int32: String] = [:]

    /// How long nothing may happen before a change counts as complete: editors and version control write in steps.
    private static let quietMilliseconds: Int32 = 40
    /// The most milliseconds that one change is waited for.
    private static let longestMilliseconds = 500

    /// A watcher of no folder yet.
    init() throws {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else {
            throw OutputError(.watching, "could not watch for changes: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Watches more folders; one that does not exist is left out.
    func watch(_ paths: Set<String>) throws {
        try queue.sync {
            for path in paths.sorted() {
                let events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR
                let number = inotify_add_watch(descriptor, path, UInt32(events))
                if number >= 0 {
                    folders[number] = path
                } else if errno == ENOSPC {
                    throw OutputError(
                        .watching,
                        "could not watch \(path): the limit fs.inotify.max_user_watches is reached"
                    )
                }
            }
        }
    }

    /// The paths that have changed since the last call, without waiting.
    func takeChanges() -> Set<String> { queue.sync { readEvents() } }

    /// Waits for the next change, and returns the paths of the files it touched.
    ///
    /// A folder's own path may stand for anything in it.
    func nextChange() async -> Set<String> {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.waitForChange()) }
        }
    }

    private func waitForChange() -> Set<String> {
        var changed: Set<String> = []
        let start = ContinuousClock.now
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while changed.isEmpty || poll(&entry, 1, Self.quietMilliseconds) > 0 {
            if changed.isEmpty { _ = poll(&entry, 1, -1) }
            changed.formUnion(readEvents())
            if start.duration(to: .now) > .milliseconds(Self.longestMilliseconds), !changed.isEmpty { break }
        }
        return changed
    }

    /// The paths of all events that are there.
    private func readEvents() -> Set<String> {
        var changed: Set<String> = []
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            var at = 0
            // struct inotify_event: wd, mask, cookie, len, name.
            while at + 16 <= count {
                let number = buffer.load(fromByteOffset: at, as: Int32.self)
                let mask = buffer.load(fromByteOffset: at + 4, as: UInt32.self)
                let length = Int(buffer.load(fromByteOffset: at + 12, as: UInt32.self))
                let name = UnsafeRawBufferPointer(rebasing: buffer[(at + 16)..<min(count, at + 16 + length)]).prefix {
                    $0 != 0
                }
                changed.formUnion(paths(of: number, mask, String(decoding: name, as: UTF8.self)))
                at += 16 + length
            }
        }
        return changed
    }

    private func paths(of number: Int32, _ mask: UInt32, _ name: String) -> Set<String> {
        // More happened than the kernel keeps: anything may have changed.
        if mask & UInt32(IN_Q_OVERFLOW) != 0 { return Set(folders.values) }
        guard let folder = folders[number] else { return [] }
        if mask & UInt32(IN_IGNORED) != 0 {
            folders[number] = nil
            return [folder]
        }
        // A new file is reported again when it has been written.
        if mask & UInt32(IN_CREATE) != 0, mask & UInt32(IN_ISDIR) == 0 { return [] }
        return [folder.path(to: name)]
    }
}
