import Glibc

/// The gigabytes of addresses that the engine sets aside for the shapes of objects, as writable memory.
///
/// `RLIMIT_DATA` counts them when they are mapped, not when they are used, so a script that makes millions of shapes
/// would fill them unseen. Most of them are therefore closed: a script that gets that far runs into a wall.
enum AddressReserve {
    /// Leaves only the first `bytes` of the reserve usable; returns the addresses that are closed from now on.
    static func close(beyond bytes: Int) throws(SandboxError) -> Range<Int>? {
        guard let reserve = try largest() else { return nil }
        let closed = min(reserve.lowerBound + bytes, reserve.upperBound)..<reserve.upperBound
        guard mprotect(UnsafeMutableRawPointer(bitPattern: closed.lowerBound), closed.count, PROT_NONE) == 0 else {
            throw SandboxError(step: "mprotect", code: errno)
        }
        return closed
    }

    /// What is mapped in one piece of a gigabyte or more is no memory that anyone means to use up.
    private static func largest() throws(SandboxError) -> Range<Int>? {
        guard let file = fopen("/proc/self/maps", "r") else { throw SandboxError(step: "/proc/self/maps", code: errno) }
        defer { fclose(file) }
        var largest: Range<Int>?
        var line = [CChar](repeating: 0, count: 4_096)
        while fgets(&line, Int32(line.count), file) != nil {
            // `7f0000000000-7f0100000000 rw-p 00000000 00:00 0`
            let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                .split(separator: " ")
            let bounds = fields[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            guard fields.count > 1, fields[1] == "rw-p", bounds.count == 2, bounds[1] - bounds[0] >= 1 << 30,
                bounds[1] - bounds[0] > largest?.count ?? 0
            else { continue }
            largest = bounds[0]..<bounds[1]
        }
        return largest
    }
}
