import CFiles
import Glibc

/// What a process has to remember of the files it is about to finish, a record each: a tenth of a transaction's cost.
///
/// The file lies in memory, which outlives a process that is killed, and takes no system call to write to. Each process
/// has its own, locked as long as it runs. One that nobody has locked is of a run that was killed.
///
/// `@unchecked`: whoever has it is alone with it.
final class CreditJournal: @unchecked Sendable {
    private let descriptor: Int32
    private let folder: OpenFolder
    private let name: String
    /// The file as it lies in memory; nil where its file system has no such thing.
    private var memory: UnsafeMutableRawBufferPointer?
    private var isMapped: Bool
    private var size = 0
    /// The records' length.
    private var length = 0

    private static let beginning = "credits.journal-"
    /// What the file begins with; then come the records' length, and the records.
    private static let signature = Array("imgjrnl2".utf8)
    private static let start = signature.count + MemoryLayout<UInt64>.size
    /// How much longer the file becomes when it is full.
    private static let step = 128 << 10

    /// Begins a journal in the hidden folder.
    init(in folder: OpenFolder, isMapped: Bool = true) throws(DownloadError) {
        self.folder = folder
        self.isMapped = isMapped
        var number = Int(getpid())
        while true {
            let name = Self.beginning + String(number)
            let descriptor = cfiles_open(folder.descriptor, name, O_RDWR | O_CREAT, 0o666)
            guard descriptor >= 0 else { throw folder.failure(errno, "opened", folder.path + "/" + name) }
            var status = stat()
            // Another's, or one that still holds what a killed run left: the next number is free.
            if cfiles_lock(descriptor) == 0, fstat(descriptor, &status) == 0, status.st_size == 0, status.st_nlink > 0 {
                self.descriptor = descriptor
                self.name = name
                break
            }
            Glibc.close(descriptor)
            number += 1 << 22
        }
        try grow(to: Self.start)
        try write(Self.signature[...], at: 0)
    }

    deinit {
        if length == 0 { unlinkat(folder.descriptor, name, 0) }
        if let memory { munmap(memory.baseAddress, memory.count) }
        Glibc.close(descriptor)
    }

    /// Adds a record.
    func add(_ record: ArraySlice<UInt8>) throws(DownloadError) {
        let end = Self.start + length
        if end + record.count > size { try grow(to: end + record.count) }
        // The length comes last: a record that is not whole does not count.
        try write(record, at: end)
        try setLength(length + record.count)
    }

    /// Forgets all records: they are kept elsewhere now.
    func clear() throws(DownloadError) { try setLength(0) }

    private func setLength(_ length: Int) throws(DownloadError) {
        let isWritten = withUnsafeBytes(of: UInt64(length).littleEndian) { put($0, at: Self.signature.count) }
        guard isWritten else { throw failure(errno) }
        self.length = length
    }

    private func write(_ bytes: ArraySlice<UInt8>, at place: Int) throws(DownloadError) {
        guard bytes.withUnsafeBytes({ put($0, at: place) }) else { throw failure(errno) }
    }

    private func put(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
        guard let memory else { return pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(place)) == bytes.count }
        UnsafeMutableRawBufferPointer(rebasing: memory[place...]).copyMemory(from: bytes)
        return true
    }

    private func grow(to needed: Int) throws(DownloadError) {
        size = (needed + Self.step - 1) / Self.step * Self.step
        guard isMapped else { return }
        // Without room on the disk, writing to the memory would end the process.
        let code = posix_fallocate(descriptor, 0, off_t(size))
        guard code == 0 else { throw failure(code) }
        if let memory { munmap(memory.baseAddress, memory.count) }
        let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0)
        isMapped = start != MAP_FAILED
        memory = isMapped ? UnsafeMutableRawBufferPointer(start: start, count: size) : nil
    }

    private func failure(_ code: Int32) -> DownloadError {
        folder.failure(code, "written", folder.path + "/" + name)
    }

    /// Hands over what killed runs left, and removes it when `keep` has kept it.
    static func takeOver(_ folder: DownloadFolder, _ keep: ([CreditRow]) throws -> Void) throws {
        let hidden = try folder.folder([".imgscript"])
        for name in try hidden.names() where name.hasPrefix(beginning) {
            let descriptor = cfiles_open(hidden.descriptor, name, O_RDWR, 0)
            guard descriptor >= 0 else { continue }
            let content = DescriptorContent(owning: descriptor)
            guard cfiles_lock(descriptor) == 0 else { continue }
            try keep(rows(of: content.bytes(at: 0, count: content.count)))
            unlinkat(hidden.descriptor, name, 0)
        }
    }

    private static func rows(of file: [UInt8]) -> [CreditRow] {
        guard file.starts(with: signature), file.count >= start else { return CreditRow.rows(ofFormerJournal: file) }
        let length = file.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: signature.count, as: UInt64.self) }
        return CreditRow.rows(ofJournal: file[start...].prefix(Int(clamping: UInt64(littleEndian: length))))
    }
}
