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
        // JSStringGetUTF8CString ends at a lone surrogate.
        use { reference in
            let units = UnsafeBufferPointer(
                start: JSStringGetCharactersPtr(reference), count: JSStringGetLength(reference))
            guard units.allSatisfy({ $0 < 0x80 }) else { return Array(String(decoding: units, as: UTF16.self).utf8) }
            return units.map { UInt8(truncatingIfNeeded: $0) }
        }
    }

    /// The text; lone surrogates become U+FFFD.
    var string: String { String(decoding: utf8, as: UTF8.self) }
}
