import ProviderModel

/// A file's credit as a JSON object; what is not known of it is left out.
enum JSONCredit {
    /// Adds the object to a text, as bytes: there may be as many as a folder has files.
    static func write(_ path: KeptText, _ credit: CreditTexts, to text: inout ByteBuffer) {
        add(#"{"path":"#, path, to: &text)
        add(#","provider":"#, credit.provider, to: &text)
        add(#","id":"#, credit.id, to: &text)
        add(#","title":"#, credit.title, to: &text)
        if let author = credit.author {
            add(#","author":{"name":"#, author, to: &text)
            add(#","url":"#, credit.authorURL, to: &text)
            text.add("}")
        }
        add(#","source":{"name":"#, credit.source, to: &text)
        add(#","url":"#, credit.page, to: &text)
        text.add("}")
        if let license = credit.licenseID {
            add(#","license":{"id":"#, license, to: &text)
            add(#","name":"#, credit.license, to: &text)
            add(#","url":"#, credit.licenseURL, to: &text)
            text.add("}")
        }
        add(#","attribution":"#, credit.line, to: &text)
        text.add("}")
    }

    private static func add(_ name: StaticString, _ value: KeptText?, to text: inout ByteBuffer) {
        guard let value else { return }
        text.add(name)
        guard value.uses.contains(.json) else { return quote(value, to: &text) }
        text.add("\"")
        text.add(value.bytes)
        text.add("\"")
    }

    private static func quote(_ value: KeptText, to text: inout ByteBuffer) {
        var quoted: [UInt8] = []
        JSONWriter.quote(value.bytes, to: &quoted)
        quoted.withUnsafeBufferPointer { text.add($0) }
    }
}
