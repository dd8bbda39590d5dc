import CJavaScriptCore

/// A `JSStringRef` that releases itself.
final class ScriptText {
    private let reference: JSStringRef

    /// Takes over a reference this side owns.
    init(owning reference: JSStringRef) { self.reference = reference }

    init(_ text: String) {
        // The UTF-8 constructor ends at a NUL and would cut the text there.
        if text.utf8.contains(0) {
            let units = Array(text.utf16)
            reference = JSStringCreateWithCharacters(units, units.count)
        } else {
            reference = text.withCString { JSStringCreateWithUTF8CString($0) }
        }
    }

    deinit { JSStringRelease(reference) }

    /// Lends the reference, which must not outlive `body`.
    func use<Result>(_ body: (JSStringRef) -> Result) -> Result {
        // A reference taken out of a temporary would be released before it is used.
        withExtendedLifetime(self) { body(reference) }
    }

    /// The text as UTF-8; lone surrogates become U+FFFD.
    var utf8: [UInt8] {
        let count = JSStringGetLength(reference)
        guard count > 0, let units = JSStringGetCharactersPtr(reference) else { return [] }
        let buffer = UnsafeBufferPointer(start: units, count: count)
        // Most text is ASCII, and narrowing it is many times faster than transcoding.
        if buffer.allSatisfy({ $0 < 0x80 }) {
            return [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
                for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: buffer[index]) }
                filled = count
            }
        }
        return Array(String(decoding: buffer, as: UTF16.self).utf8)
    }

    /// The text; lone surrogates become U+FFFD.
    var string: String { String(decoding: utf8, as: UTF8.self) }
}
