/// Unpacks brotli (RFC 7932).
final class BrotliDecoder: ContentDecoder {
    private(set) var isAtEnd = false
    private let library: Brotli
    private let state: UnsafeMutableRawPointer

    init?() {
        guard let library = Brotli.shared, let state = library.make(nil, nil, nil) else { return nil }
        self.library = library
        self.state = state
    }

    deinit { library.destroy(state) }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentFault) -> (consumed: Int, produced: Int) {
        // What follows the end is not part of the body.
        if isAtEnd { return (input.count, 0) }
        var availableInput = input.count
        var nextInput = input.baseAddress
        var availableOutput = output.count
        var nextOutput = output.baseAddress
        let result = library.decode(state, &availableInput, &nextInput, &availableOutput, &nextOutput, nil)
        guard result != Brotli.failed else {
            throw ContentFault(message: String(cString: library.text(library.fault(state))))
        }
        isAtEnd = result == Brotli.success
        return (input.count - availableInput, output.count - availableOutput)
    }
}

/// The functions and numbers of `brotli/decode.h`.
private struct Brotli: Sendable {
    typealias Make =
        @Sendable @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
        ) -> UnsafeMutableRawPointer?
    typealias Decode =
        @Sendable @convention(c) (
            UnsafeMutableRawPointer, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UnsafeRawPointer?>,
            UnsafeMutablePointer<Int>, UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafeMutablePointer<Int>?
        ) -> Int32
    typealias Destroy = @Sendable @convention(c) (UnsafeMutableRawPointer) -> Void
    typealias Fault = @Sendable @convention(c) (UnsafeMutableRawPointer) -> Int32
    typealias Text = @Sendable @convention(c) (Int32) -> UnsafePointer<CChar>

    let make: Make
    let decode: Decode
    let destroy: Destroy
    let fault: Fault
    let text: Text

    static let failed: Int32 = 0
    static let success: Int32 = 1

    static let shared: Brotli? = {
        guard let library = CompressionLibrary("libbrotlidec.so.1"),
            let make = library.function("BrotliDecoderCreateInstance", as: Make.self),
            let decode = library.function("BrotliDecoderDecompressStream", as: Decode.self),
            let destroy = library.function("BrotliDecoderDestroyInstance", as: Destroy.self),
            let fault = library.function("BrotliDecoderGetErrorCode", as: Fault.self),
            let text = library.function("BrotliDecoderErrorString", as: Text.self)
        else { return nil }
        return Brotli(make: make, decode: decode, destroy: destroy, fault: fault, text: text)
    }()
}
