import CJavaScriptCore
import Glibc

/// A `JSStringRef` that releases itself.
final class ScriptText {
    private let reference: JSStringRef

    /// Takes over a reference this side owns.
    init(owning reference: JSStringRef) { self.reference = reference }

    init(_ text: String) {
        // The UTF-8 constructor ends at a NUL and would cut the text there.
        if Self.holdsNUL(text) {
            let units = Array(text.utf16)
            reference = JSStringCreateWithCharacters(units, units.count)
        } else {
            reference = text.withCString { JSStringCreateWithUTF8CString($0) }
        }
    }

    /// An answer's whole body comes through here, so it is not looked through byte by byte.
    private static func holdsNUL(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        } ?? text.utf8.contains(0)
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
