import Glibc

/// A file that is written beside its target and replaces it when it is complete: no reader ever sees half of it.
final class ReplacementFile {
    private let part: PartFile
    private let name: String
    private var buffer: [UInt8] = []
    private var length = 0

    /// The ending of the unfinished file, by which the next run knows it: no run goes on with one.
    static let ending = "~.part"
    private static let bufferSize = 64 << 10

    /// Begins the file; throws `.busy` when another process is writing it.
    init(_ name: String, in folder: OpenFolder) throws(DownloadError) {
        self.name = name
        part = try PartFile(name + Self.ending, in: folder)
        try part.setLength(0)
    }

    /// Writes the whole of a small file.
    static func write(_ bytes: [UInt8], to name: String, in folder: OpenFolder) throws(DownloadError) {
        let file = try ReplacementFile(name, in: folder)
        try file.write(bytes)
        try file.commit()
    }

    /// Appends bytes.
    func write(_ bytes: some Sequence<UInt8>) throws(DownloadError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Appends text.
    func write(_ text: String) throws(DownloadError) { try write(text.utf8) }

    /// Puts it in the place of what is there.
    func commit() throws(DownloadError) {
        try flush()
        try part.replace(name, in: part.folder)
    }

    /// Removes it.
    func discard() { part.remove() }

    private func flush() throws(DownloadError) {
        try part.write(buffer, at: length)
        length += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}
