import Glibc

/// The bytes of an open file.
final class DescriptorContent: FileContent {
    let descriptor: Int32

    /// Takes over the descriptor, and closes it in the end.
    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }

    var count: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    func bytes(at offset: Int, count: Int) throws(DownloadError) -> [UInt8] {
        guard count > 0 else { return [] }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let found = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            failure = found < 0 ? errno : 0
            filled = max(found, 0)
        }
        guard failure == 0 else { throw DownloadError(errno: failure, "read", "an open file") }
        return bytes
    }
}
