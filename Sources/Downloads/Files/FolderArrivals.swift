import CFiles
import Glibc

/// The number of runs that have come to work in a folder, which each of them writes down before it does anything there.
///
/// It is a file in the program's own folder, and lies in the memory of every run: to look whether somebody has come since
/// takes no system call.
///
/// `@unchecked`: what is shared is read in one piece, and nothing else changes.
final class FolderArrivals: @unchecked Sendable {
    private let number: UnsafePointer<UInt64>
    private let own: UInt64

    private static let size = MemoryLayout<UInt64>.size

    /// Comes to a folder; nil when somebody else is there, or may be without being seen.
    init?(in folder: OpenFolder) {
        // In this order, one of two who come at the same moment sees the other.
        guard cfiles_enter(folder.descriptor) == 0,
            let file = Self.open(in: folder)
        else { return nil }
        defer { Glibc.close(file) }
        guard let own = Self.countIn(file), cfiles_is_alone(folder.descriptor), cfiles_is_of_this_machine(file),
            let memory = mmap(nil, Self.size, PROT_READ, MAP_SHARED, file, 0), memory != MAP_FAILED
        else { return nil }
        self.own = own
        number = UnsafePointer(memory.assumingMemoryBound(to: UInt64.self))
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: number), Self.size) }

    /// Whether nobody has come since.
    var areNone: Bool { cfiles_load(number) == own }

    private static func open(in folder: OpenFolder) -> Int32? {
        let own = cfiles_open(folder.descriptor, ".imgscript", O_RDONLY | O_DIRECTORY, 0)
        guard own >= 0 else { return nil }
        defer { Glibc.close(own) }
        let file = cfiles_open(own, "arrivals", O_RDWR | O_CREAT, 0o666)
        return file >= 0 ? file : nil
    }

    /// Writes down that one more has come; the number of all, or nil where it cannot be written.
    private static func countIn(_ file: Int32) -> UInt64? {
        var number: UInt64 = 0
        guard pread(file, &number, size, 0) >= 0 else { return nil }
        number &+= 1
        return pwrite(file, &number, size, 0) == size ? number : nil
    }
}
