/// Unpacks gzip (RFC 1952, several members too) and what servers call deflate: with zlib's frame (RFC 1950) or without.
final class ZlibDecoder: ContentDecoder {
    enum Kind {
        case gzip
        case deflate
    }

    private(set) var isAtEnd = false
    private let kind: Kind
    private let library: Zlib
    private let stream: UnsafeMutablePointer<ZlibStream>
    private var hasBegun = false

    init?(_ kind: Kind) {
        guard let library = Zlib.shared else { return nil }
        self.kind = kind
        self.library = library
        stream = .allocate(capacity: 1)
        stream.initialize(to: ZlibStream())
    }

    deinit {
        if hasBegun { _ = library.end(stream) }
        stream.deallocate()
    }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentFault) -> (consumed: Int, produced: Int) {
        if let first = input.first {
            if !hasBegun { try begin(first) }
            if isAtEnd { goOn(first) }
        }
        // Without input there may still be output that had no room before.
        guard hasBegun, !isAtEnd else { return (input.count, 0) }
        stream.pointee.nextInput = input.baseAddress
        stream.pointee.availableInput = UInt32(clamping: input.count)
        stream.pointee.nextOutput = output.baseAddress
        stream.pointee.availableOutput = UInt32(clamping: output.count)
        let code = library.inflate(stream, Zlib.noFlush)
        guard [Zlib.ok, Zlib.streamEnd, Zlib.bufferError].contains(code) else {
            throw ContentFault(message: stream.pointee.message.map { String(cString: $0) } ?? "zlib error \(code)")
        }
        isAtEnd = code == Zlib.streamEnd
        return (
            Int(UInt32(clamping: input.count) - stream.pointee.availableInput),
            Int(UInt32(clamping: output.count) - stream.pointee.availableOutput)
        )
    }

    private func begin(_ first: UInt8) throws(ContentFault) {
        // RFC 1950 §2.2: the method 8 stands in the first byte's lower half, which no raw block of sane origin has.
        let window = kind == .gzip ? Zlib.gzipWindow : first & 0x0f == 8 ? Zlib.window : -Zlib.window
        let size = Int32(MemoryLayout<ZlibStream>.size)
        guard library.begin(stream, window, "1", size) == Zlib.ok else {
            throw ContentFault(message: "zlib did not begin")
        }
        hasBegun = true
    }

    /// Begins the next member; what else follows is not part of the body, and gzip's own tools pass over it too.
    private func goOn(_ first: UInt8) {
        if kind == .gzip, first == 0x1f, library.reset(stream) == Zlib.ok { isAtEnd = false }
    }
}

/// zlib's functions and numbers, as `zlib.h` has had them since 1995.
private struct Zlib: Sendable {
    typealias Begin =
        @Sendable @convention(c) (UnsafeMutableRawPointer, Int32, UnsafePointer<CChar>, Int32) -> Int32
    typealias Inflate = @Sendable @convention(c) (UnsafeMutableRawPointer, Int32) -> Int32
    typealias Stream = @Sendable @convention(c) (UnsafeMutableRawPointer) -> Int32

    let begin: Begin
    let inflate: Inflate
    let reset: Stream
    let end: Stream

    static let noFlush: Int32 = 0
    static let ok: Int32 = 0
    static let streamEnd: Int32 = 1
    static let bufferError: Int32 = -5
    static let window: Int32 = 15
    static let gzipWindow: Int32 = 15 + 16

    static let shared: Zlib? = {
        guard let library = CompressionLibrary("libz.so.1"),
            let begin = library.function("inflateInit2_", as: Begin.self),
            let inflate = library.function("inflate", as: Inflate.self),
            let reset = library.function("inflateReset", as: Stream.self),
            let end = library.function("inflateEnd", as: Stream.self)
        else { return nil }
        return Zlib(begin: begin, inflate: inflate, reset: reset, end: end)
    }()
}

/// `z_stream`; zlib itself checks the size when it begins.
private struct ZlibStream {
    var nextInput: UnsafeRawPointer?
    var availableInput: UInt32 = 0
    var totalInput: UInt = 0
    var nextOutput: UnsafeMutableRawPointer?
    var availableOutput: UInt32 = 0
    var totalOutput: UInt = 0
    var message: UnsafePointer<CChar>?
    var state: UnsafeMutableRawPointer?
    var allocate: UnsafeMutableRawPointer?
    var free: UnsafeMutableRawPointer?
    var context: UnsafeMutableRawPointer?
    var dataType: Int32 = 0
    var checksum: UInt = 0
    var reserved: UInt = 0
}
