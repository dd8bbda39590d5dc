import Glibc

/// What the system says about a process's memory.
package enum ProcessMemory {
    /// Megabytes that a process holds right now.
    package static func residentMegabytes(of process: String = "self") -> Int {
        guard let file = fopen("/proc/\(process)/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
            separator: " "
        )
        return ((Int(fields[1]) ?? 0) * Int(getpagesize())) >> 20
    }
}
