import Glibc

/// The memory of worker processes, read from `/proc`.
enum WorkerMemory {
    /// The workers of this process.
    static func workers() -> Set<Int32> {
        guard let directory = opendir("/proc") else { return [] }
        defer { closedir(directory) }
        var workers: Set<Int32> = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let id = Int32(name), let status = status(of: id), status["PPid"] == "\(getpid())",
                // The kernel keeps 15 characters of a name.
                status["Name"] == String("imgscript-worker".prefix(15))
            else { continue }
            workers.insert(id)
        }
        return workers
    }

    /// The most bytes a process has held at a time, since it began or since `forgetPeak`; nil when it is gone.
    static func peak(of process: Int32) -> Int? { bytes("VmHWM", of: process) }

    /// Bytes that a process holds now; nil when it is gone.
    static func held(by process: Int32) -> Int? { bytes("VmRSS", of: process) }

    /// Begins to measure the peak anew (proc(5), clear_refs); false where the kernel does not let us.
    static func forgetPeak(of process: Int32) -> Bool {
        let file = open("/proc/\(process)/clear_refs", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return write(file, "5", 1) == 1
    }

    private static func bytes(_ name: String, of process: Int32) -> Int? {
        guard let text = status(of: process)?[name]?.split(separator: " ").first else { return nil }
        return Int(text).map { $0 << 10 }
    }

    private static func status(of process: Int32) -> [String: String]? {
        guard let file = fopen("/proc/\(process)/status", "re") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 8_192)
        let count = fread(&buffer, 1, buffer.count, file)
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
        return Dictionary(
            lines.map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return (String(parts[0]), parts.count > 1 ? String(parts[1].drop(while: \.isWhitespace)) : "")
            }, uniquingKeysWith: { first, _ in first })
    }
}
