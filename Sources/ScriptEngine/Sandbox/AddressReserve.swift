import Glibc

/// The gigabytes of addresses that the engine sets aside for the shapes of objects, as writable memory.
///
/// `RLIMIT_DATA` counts them when they are mapped, not when they are used, so a script that makes millions of shapes
/// would fill them unseen. Most of them are therefore closed: a script that gets that far crashes.
enum AddressReserve {
    /// The reserve's size, and what its first address is a multiple of: the engine compresses pointers into it to 32
    /// bits.
    private static let size = 4 << 30

    /// Leaves only the first `bytes` of the reserve usable; returns the addresses that are closed from now on.
    static func close(beyond bytes: Int) throws(SandboxError) -> Range<Int>? {
        guard let start = try start() else { return nil }
        let closed = min(start + bytes, start + size)..<start + size
        guard mprotect(UnsafeMutableRawPointer(bitPattern: closed.lowerBound), closed.count, PROT_NONE) == 0 else {
            throw SandboxError(step: "mprotect", code: errno)
        }
        return closed
    }

    /// The reserve's first address, or nil for an engine without one.
    private static func start() throws(SandboxError) -> Int? {
        let maps = try Sandbox.text(of: "/proc/self/maps")
        return maps.split(separator: "\n").lazy.compactMap { writableMapping(in: $0) }.compactMap { start(in: $0) }
            .first
    }

    /// The addresses of a line such as `7f0000000000-7f0100000000 rw-p 00000000 00:00 0`; nil for memory of another
    /// kind.
    private static func writableMapping(in line: Substring) -> Range<Int>? {
        let fields = line.split(separator: " ", maxSplits: 2)
        guard fields.count > 1, fields[1] == "rw-p" else { return nil }
        let bounds = fields[0].split(separator: "-").compactMap { Int($0, radix: 16) }
        guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
        return bounds[0]..<bounds[1]
    }

    /// Where the reserve begins in a mapping that holds it.
    ///
    /// The system joins adjacent mappings of the same kind into one: memory in use may come before and after the reserve.
    static func start(in mapping: Range<Int>) -> Int? {
        let start = (mapping.lowerBound + size - 1) / size * size
        return start + size <= mapping.upperBound ? start : nil
    }
}
