import CJavaScriptCore

extension ScriptText {
    /// A text from its UTF-8; what is none in it becomes U+FFFD.
    convenience init(utf8 bytes: [UInt8]) {
        let reference = bytes.withUnsafeBufferPointer { bytes in
            Transcoding.withUTF16(of: bytes) { units -> JSStringRef in
                JSStringCreateWithCharacters(units.baseAddress, units.count)
            }
        }
        self.init(owning: reference)
    }

    /// The text's UTF-8, many characters at a time: for what is long.
    var longUTF8: [UInt8] {
        use { reference in
            Transcoding.utf8(
                of: UnsafeBufferPointer(start: JSStringGetCharactersPtr(reference), count: JSStringGetLength(reference))
            )
        }
    }
}
