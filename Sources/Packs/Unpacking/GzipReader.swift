import CLibArchive
import ProviderModel

/// Reads the one gzip member that a pack's archive is, whole and with nothing behind it.
struct GzipReader {
    let limits: PackArchive.Limits

    /// The shortest member: header, an empty block, check sum and length.
    private static let shortest = 20
    private static let trailer = 8

    /// The bytes inside.
    func content(of bytes: [UInt8]) throws(PackError) -> [UInt8] {
        guard bytes.starts(with: [0x1f, 0x8b, 8]) else {
            throw PackError(.archive, "this is no gzip file, which a pack’s archive is", hint: "a pack ends in .tgz")
        }
        guard bytes.count >= Self.shortest else { throw Self.truncated }
        var used = 0
        let content = try inflate(bytes, used: &used)
        // libarchive takes the check sum and the length as read, and overlooks what follows.
        guard used >= Self.shortest, used <= bytes.count else { throw Self.truncated }
        guard used == bytes.count else {
            let count = bytes.count - used
            throw PackError.damaged("\(count == 1 ? "a byte follows" : "\(count) bytes follow") the end of the archive")
        }
        let trailer = bytes.suffix(Self.trailer)
        guard Self.number(trailer.prefix(4)) == CRC32.of(content),
            Self.number(trailer.suffix(4)) == UInt32(truncatingIfNeeded: content.count)
        else { throw PackError.damaged("the check sum is wrong: the archive was damaged, or is several in one") }
        return content
    }

    private func inflate(_ bytes: [UInt8], used: inout Int) throws(PackError) -> [UInt8] {
        // An error cannot pass through the closure that keeps the bytes in place.
        let result: Result<([UInt8], Int), PackError> = bytes.withUnsafeBytes { bytes in
            guard let archive = clibarchive_gzip_reader() else {
                return .failure(PackError(.library, "libarchive cannot read without memory"))
            }
            defer { clibarchive_read_free(archive) }
            var entry: clibarchive_entry?
            guard clibarchive_open(archive, bytes.baseAddress, bytes.count) == clibarchive_ok,
                clibarchive_next(archive, &entry) == clibarchive_ok
            else { return .failure(Self.damaged(archive)) }
            var content: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = clibarchive_read(archive, &buffer, buffer.count)
                guard count >= 0 else { return .failure(Self.damaged(archive)) }
                if count == 0 { return .success((content, Int(clibarchive_used(archive)))) }
                content += buffer[..<count]
                guard content.count <= limits.unpacked else {
                    return .failure(
                        PackError(
                            .tooLarge,
                            "the archive unpacks to more than \(ByteCount(limits.unpacked)), the most a pack holds"))
                }
            }
        }
        let content: [UInt8]
        (content, used) = try result.get()
        return content
    }

    private static var truncated: PackError { .damaged("the archive ends before its time") }

    private static func damaged(_ archive: clibarchive) -> PackError {
        // It says nothing where the check sum is not all there.
        guard let reason = clibarchive_error_text(archive).map({ String(cString: $0) }) else { return truncated }
        return .damaged("the archive cannot be unpacked: \(reason.quoted)")
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
