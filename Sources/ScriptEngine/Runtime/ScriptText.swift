import CJavaScriptCore

/// A `JSStringRef` that releases itself.
final class ScriptText {
    private let reference: JSStringRef

    /// Takes over a reference this side owns.
    init(owning reference: JSStringRef) { self.reference = reference }

    init(_ text: String) {
        let units = Array(text.utf16)
        reference = JSStringCreateWithCharacters(units, units.count)
    }

    deinit { JSStringRelease(reference) }

    /// Lends the reference, which must not outlive `body`.
    func use<Result>(_ body: (JSStringRef) -> Result) -> Result {
        // A reference taken out of a temporary would be released before it is used.
        withExtendedLifetime(self) { body(reference) }
    }

    /// UTF-16 code units.
    var length: Int { JSStringGetLength(reference) }

    /// The text as UTF-8; lone surrogates become U+FFFD.
    var utf8: [UInt8] {
        // Text of one byte per character, as nearly all of it is, is converted without being widened first.
        let capacity = JSStringGetMaximumUTF8CStringSize(reference)
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) { buffer in
                max(0, JSStringGetUTF8CString(reference, buffer.baseAddress, capacity) - 1)
            }
        }
        return bytes
    }

    /// The text; lone surrogates become U+FFFD.
    var string: String { String(decoding: utf8, as: UTF8.self) }
}
