import CBrotli
import CZlib
import CZstd

/// Decodes a body piece by piece; used on one thread only.
protocol ContentDecoder: AnyObject {
    /// Whether the body could end here.
    var isAtEnd: Bool { get }

    /// Decodes as much as fits; nothing consumed and nothing produced means that it waits for more.
    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> (consumed: Int, produced: Int)
}

/// Why a body cannot be decoded.
struct DecodingFault: Error {
    let message: String
}

/// Decodes gzip (RFC 1952, several members too) and what servers call deflate: with zlib's frame (RFC 1950) or without.
final class ZlibDecoder: ContentDecoder {
    enum Format {
        case gzip
        case deflate
    }

    private(set) var isAtEnd = false
    private let format: Format
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var hasBegun = false

    init(_ format: Format) {
        self.format = format
        stream.initialize(to: z_stream())
    }

    deinit {
        if hasBegun { inflateEnd(stream) }
        stream.deallocate()
    }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> (consumed: Int, produced: Int) {
        if let first = input.first {
            if !hasBegun { try begin(first) }
            // The next member; what else follows is not part of the body, and gzip's own tools pass over it too.
            if isAtEnd, format == .gzip, first == 0x1f, inflateReset(stream) == Z_OK { isAtEnd = false }
        }
        // Without input there may still be output that had no room before.
        guard hasBegun, !isAtEnd else { return (input.count, 0) }
        let (inputCount, outputCount) = (uInt(clamping: input.count), uInt(clamping: output.count))
        let bytes = input.bindMemory(to: Bytef.self).baseAddress
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes)
        stream.pointee.avail_in = inputCount
        stream.pointee.next_out = output.bindMemory(to: Bytef.self).baseAddress
        stream.pointee.avail_out = outputCount
        let code = inflate(stream, Z_NO_FLUSH)
        guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(code) else {
            throw DecodingFault(message: stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(code)")
        }
        isAtEnd = code == Z_STREAM_END
        return (Int(inputCount - stream.pointee.avail_in), Int(outputCount - stream.pointee.avail_out))
    }

    private func begin(_ first: UInt8) throws(DecodingFault) {
        // RFC 1950 §2.2: the lower half of the first byte is the method 8; raw blocks of known encoders differ there.
        let window = format == .gzip ? MAX_WBITS + 16 : first & 0x0f == 8 ? MAX_WBITS : -MAX_WBITS
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, window, ZLIB_VERSION, size) == Z_OK else {
            throw DecodingFault(message: "could not start zlib")
        }
        hasBegun = true
    }
}

/// Decodes brotli (RFC 7932).
final class BrotliDecoder: ContentDecoder {
    private(set) var isAtEnd = false
    private let state: OpaquePointer

    init?() {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
        self.state = state
    }

    deinit { BrotliDecoderDestroyInstance(state) }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> (consumed: Int, produced: Int) {
        // What follows the end is not part of the body.
        if isAtEnd { return (input.count, 0) }
        var (inputLeft, outputLeft) = (input.count, output.count)
        var nextInput = input.bindMemory(to: UInt8.self).baseAddress
        var nextOutput = output.bindMemory(to: UInt8.self).baseAddress
        let result = BrotliDecoderDecompressStream(state, &inputLeft, &nextInput, &outputLeft, &nextOutput, nil)
        guard result != BROTLI_DECODER_RESULT_ERROR else {
            throw DecodingFault(message: String(cString: BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state))))
        }
        isAtEnd = result == BROTLI_DECODER_RESULT_SUCCESS
        return (input.count - inputLeft, output.count - outputLeft)
    }
}

/// Decodes Zstandard (RFC 8878), several frames too.
final class ZstandardDecoder: ContentDecoder {
    private(set) var isAtEnd = false
    private let state: OpaquePointer

    init?() {
        guard let state = ZSTD_createDStream() else { return nil }
        self.state = state
        // RFC 9659 §3: no valid response needs a window of more than 8 MB.
        ZSTD_DCtx_setParameter(state, ZSTD_d_windowLogMax, 23)
    }

    deinit { ZSTD_freeDStream(state) }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> (consumed: Int, produced: Int) {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = ZSTD_decompressStream(state, &target, &source)
        guard ZSTD_isError(result) == 0 else {
            throw DecodingFault(message: String(cString: ZSTD_getErrorName(result)))
        }
        // Without input or output it reports the beginning of the next frame.
        if source.pos > 0 || target.pos > 0 { isAtEnd = result == 0 }
        return (source.pos, target.pos)
    }
}
