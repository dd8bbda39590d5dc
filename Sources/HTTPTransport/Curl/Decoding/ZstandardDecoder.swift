/// Unpacks Zstandard (RFC 8878), several frames too.
final class ZstandardDecoder: ContentDecoder {
    private(set) var isAtEnd = false
    private let library: Zstandard
    private let state: UnsafeMutableRawPointer

    init?() {
        guard let library = Zstandard.shared, let state = library.make() else { return nil }
        self.library = library
        self.state = state
        // RFC 9659 §3: no honest answer needs a window of more than 8 MB.
        _ = library.set(state, Zstandard.windowLogMax, 23)
    }

    deinit { _ = library.destroy(state) }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentFault) -> (consumed: Int, produced: Int) {
        var source = Zstandard.Input(bytes: input.baseAddress, size: input.count)
        var target = Zstandard.Output(bytes: output.baseAddress, size: output.count)
        let result = withUnsafeMutablePointer(to: &target) { target in
            withUnsafeMutablePointer(to: &source) { library.decode(state, target, $0) }
        }
        guard library.isError(result) == 0 else {
            throw ContentFault(message: String(cString: library.text(result)))
        }
        // Without anything to do it asks for the next frame, which is no news.
        if source.position > 0 || target.position > 0 { isAtEnd = result == 0 }
        return (source.position, target.position)
    }
}

/// The functions, structures and numbers of `zstd.h`.
private struct Zstandard: Sendable {
    struct Input {
        var bytes: UnsafeRawPointer?
        var size: Int
        var position = 0
    }

    struct Output {
        var bytes: UnsafeMutableRawPointer?
        var size: Int
        var position = 0
    }

    typealias Make = @Sendable @convention(c) () -> UnsafeMutableRawPointer?
    typealias Set = @Sendable @convention(c) (UnsafeMutableRawPointer, Int32, Int32) -> Int
    // The buffers go as plain pointers: a C function's type can name no structure of Swift.
    typealias Decode =
        @Sendable @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int
    typealias Destroy = @Sendable @convention(c) (UnsafeMutableRawPointer) -> Int
    typealias IsError = @Sendable @convention(c) (Int) -> UInt32
    typealias Text = @Sendable @convention(c) (Int) -> UnsafePointer<CChar>

    let make: Make
    let set: Set
    let decode: Decode
    let destroy: Destroy
    let isError: IsError
    let text: Text

    static let windowLogMax: Int32 = 100

    static let shared: Zstandard? = {
        guard let library = CompressionLibrary("libzstd.so.1"),
            let make = library.function("ZSTD_createDStream", as: Make.self),
            let set = library.function("ZSTD_DCtx_setParameter", as: Set.self),
            let decode = library.function("ZSTD_decompressStream", as: Decode.self),
            let destroy = library.function("ZSTD_freeDStream", as: Destroy.self),
            let isError = library.function("ZSTD_isError", as: IsError.self),
            let text = library.function("ZSTD_getErrorName", as: Text.self)
        else { return nil }
        return Zstandard(make: make, set: set, decode: decode, destroy: destroy, isError: isError, text: text)
    }()
}
