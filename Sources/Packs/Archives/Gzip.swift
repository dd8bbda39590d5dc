import CZlib
import ProviderModel

/// One gzip member (RFC 1952), by zlib.
enum Gzip {
    /// The largest window, and 16 for a gzip header and trailer around the data.
    private static let windowBits: Int32 = 15 + 16
    private static let chunkSize = 1 << 16

    /// Compresses bytes as small as zlib can, without a name or a time.
    static func compress(_ bytes: [UInt8]) throws(PackError) -> [UInt8] {
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowBits, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw PackError(.library, "could not compress: out of memory") }
        defer { deflateEnd(&stream) }
        var output: [UInt8] = []
        _ = run(bytes, through: &stream, { deflate($0, Z_FINISH) }, limit: .max, into: &output)
        return output
    }

    /// The bytes of the one member that a file has to be: whole, with a right checksum, and nothing behind it.
    static func decompress(_ bytes: [UInt8], limit: Int) throws(PackError) -> [UInt8] {
        guard bytes.starts(with: [0x1f, 0x8b, 8]) else {
            throw PackError(
                .archive, "not a gzip file (expected the archive of a pack)",
                hint: "the archive of a pack is a .tgz file")
        }
        var stream = z_stream()
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw PackError(.library, "could not decompress: out of memory")
        }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        let code = run(bytes, through: &stream, { inflate($0, Z_NO_FLUSH) }, limit: limit, into: &output)
        guard output.count <= limit else {
            throw PackError(.tooLarge, "the archive unpacks to more than the maximum of \(ByteCount(limit))")
        }
        switch code {
        case Z_STREAM_END: break
        case Z_BUF_ERROR: throw .damaged("the archive is truncated")
        default:
            let reason = stream.msg.map { String(cString: $0) } ?? "code \(code)"
            throw .damaged("could not decompress the archive: \(reason)")
        }
        let rest = Int(stream.avail_in)
        guard rest == 0 else {
            throw .damaged("\(rest == 1 ? "a byte follows" : "\(rest) bytes follow") the end of the archive")
        }
        return output
    }

    /// Runs zlib over all bytes until its output exceeds a limit; returns zlib's last code.
    private static func run(
        _ bytes: [UInt8], through stream: inout z_stream, _ step: (UnsafeMutablePointer<z_stream>) -> Int32,
        limit: Int, into output: inout [UInt8]
    ) -> Int32 {
        var input = bytes
        var chunk = [UInt8](repeating: 0, count: chunkSize)
        return input.withUnsafeMutableBufferPointer { input in
            chunk.withUnsafeMutableBufferPointer { chunk in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                var code = Z_OK
                while code == Z_OK, output.count <= limit {
                    stream.next_out = chunk.baseAddress
                    stream.avail_out = UInt32(chunk.count)
                    code = step(&stream)
                    output += chunk[..<(chunk.count - Int(stream.avail_out))]
                }
                return code
            }
        }
    }
}

extension PackError {
    /// The error of an archive that is not whole.
    static func damaged(_ message: String) -> PackError {
        PackError(.archive, message, hint: "fetch it again; if that fails, report it to its author")
    }
}
