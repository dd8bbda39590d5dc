import Glibc

/// A file that is written beside its place and takes it when it is whole: nobody ever sees half of it.
final class ReplacementFile {
    private let part: PartFile
    private let name: String
    private var buffer = ByteBuffer(capacity: 4 << 10)
    private var length = 0

    /// Begins the file; throws `.busy` when another process is writing it.
    init(_ name: String, in folder: OpenFolder) throws(DownloadError) {
        self.name = name
        part = try PartFile(name + ".part", in: folder)
        try part.setLength(0)
    }

    /// Writes the whole of a small file.
    static func write(_ bytes: [UInt8], to name: String, in folder: OpenFolder) throws(DownloadError) {
        let file = try ReplacementFile(name, in: folder)
        try file.write(bytes)
        try file.commit()
    }

    /// Adds to its end.
    func write(_ text: String) throws(DownloadError) { try add { $0.add(text) } }

    /// Adds to its end.
    func write(_ bytes: [UInt8]) throws(DownloadError) {
        try add { text in bytes.withUnsafeBufferPointer { text.add($0) } }
    }

    /// Lets bytes be added to its end.
    func add(_ bytes: (inout ByteBuffer) -> Void) throws(DownloadError) {
        bytes(&buffer)
        if buffer.count >= 64 << 10 { try flush() }
    }

    /// Puts it in its place, instead of what is there.
    func commit() throws(DownloadError) {
        try flush()
        guard renameat(part.folder.descriptor, part.name, part.folder.descriptor, name) == 0 else {
            throw part.folder.failure(errno, "written", part.folder.path + "/" + name)
        }
    }

    /// Gives it up.
    func discard() { part.remove() }

    private func flush() throws(DownloadError) {
        var failure: DownloadError?
        buffer.withBytes { bytes in
            do throws(DownloadError) { try part.write(bytes, at: length) } catch { failure = error }
        }
        if let failure { throw failure }
        length += buffer.count
        buffer.clear()
    }
}
