import Glibc

/// The gigabytes of addresses that the engine sets aside for the shapes of objects, as writable memory.
///
/// `RLIMIT_DATA` counts them when they are mapped, not when they are used, so a script that makes millions of shapes
/// would fill them unseen. Most of them are therefore closed: a script that gets that far runs into a wall.
enum AddressReserve {
    /// The reserve's size, and what its first address is a multiple of: the engine compresses pointers into it to 32 bits.
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
        guard let file = fopen("/proc/self/maps", "r") else { throw SandboxError(step: "/proc/self/maps", code: errno) }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 4_096)
        while fgets(&line, Int32(line.count), file) != nil {
            if let bounds = Self.writableMapping(in: line), let start = start(in: bounds) { return start }
        }
        return nil
    }

    /// The addresses of a line such as `7f0000000000-7f0100000000 rw-p 00000000 00:00 0`; nil for memory of another kind.
    ///
    /// There are hundreds of lines, too many to make texts of.
    private static func writableMapping(in line: [CChar]) -> Range<Int>? {
        line.withUnsafeBufferPointer { line in
            guard let start = line.baseAddress else { return nil }
            var rest: UnsafeMutablePointer<CChar>?
            let lower = Int(bitPattern: strtoul(start, &rest, 16))
            guard let dash = rest, dash.pointee == CChar(UInt8(ascii: "-")) else { return nil }
            let upper = Int(bitPattern: strtoul(dash + 1, &rest, 16))
            guard let end = rest, strncmp(end, " rw-p ", 6) == 0, lower < upper else { return nil }
            return lower..<upper
        }
    }

    /// Where the reserve begins in a mapping that holds it.
    ///
    /// The system joins neighbours that are mapped alike into one: memory in use may come before and after the reserve.
    static func start(in mapping: Range<Int>) -> Int? {
        let start = (mapping.lowerBound + size - 1) / size * size
        return start + size <= mapping.upperBound ? start : nil
    }
}
