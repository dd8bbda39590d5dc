extension Item {
    /// Reads an item that a script gave, which has no provider yet.
    package init(_ reader: inout ContractReader) throws(ContractViolation) {
        try self.init(&reader, ItemSchema.contract)
    }

    /// Reads an item from JSON text as ``write(to:)`` writes it; members of other names are ignored.
    ///
    /// - Throws: ``ContractViolation`` with the place of what is missing or of another type.
    package init(json text: [UInt8]) throws(ContractViolation) {
        self = try ContractReader.read(text, rules: .types) { reader throws(ContractViolation) in
            try Item(&reader, ItemSchema.item)
        }
    }

    private init(_ reader: inout ContractReader, _ schema: Schema<Item>) throws(ContractViolation) {
        self.init(provider: .unset, id: "")
        var item = self
        item.extra = try reader.item { reader throws(ContractViolation) in
            try reader.fields(of: schema, into: &item)
        }
        self = item
    }

    /// Writes the item with the contract's field names, its provider first.
    public func write(to json: inout JSONWriter) {
        json.object { ItemSchema.item.write(self, to: &$0) }
    }

    /// Writes the item with the contract's field names, its provider first and members of the caller's last.
    package func write(to json: inout JSONWriter, then more: (inout JSONWriter) -> Void) {
        json.object { json in
            ItemSchema.item.write(self, to: &json)
            more(&json)
        }
    }

    /// The item as a script knows it: without its provider.
    package var contractJSON: JSONText {
        var writer = JSONWriter()
        writer.object { ItemSchema.contract.write(self, to: &$0) }
        return JSONText(validated: writer.text)
    }
}

extension Page {
    /// Reads a page that a script gave.
    package init(_ reader: inout ContractReader) throws(ContractViolation) {
        self.init(items: [])
        try reader.fields(of: Self.schema, into: &self)
    }

    /// Writes the page with the contract's field names, its items without their provider.
    package func write(to json: inout JSONWriter) {
        json.object { Self.schema.write(self, to: &$0) }
    }
}

extension Media {
    /// Reads a file that a script gave.
    package init(_ reader: inout ContractReader) throws(ContractViolation) {
        self.init(role: .original, url: .unset)
        try reader.fields(of: ItemSchema.media, into: &self)
    }

    /// Writes the file with the contract's field names.
    public func write(to json: inout JSONWriter) {
        json.object { ItemSchema.media.write(self, to: &$0) }
    }
}

/// The shape is that of `-f json`: ``write(to:)``.
extension Item: Codable {
    /// Reads an item; members of other names are ignored.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with the place of what is missing or of another type.
    public init(from decoder: any Decoder) throws {
        do {
            try self.init(json: Array(JSONValue(from: decoder).compact.utf8))
        } catch let violation as ContractViolation {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: violation.text, underlyingError: violation))
        }
    }

    /// Writes the item with the contract's field names.
    public func encode(to encoder: any Encoder) throws {
        var json = JSONWriter()
        write(to: &json)
        try JSONValue(parsing: json.bytes).encode(to: encoder)
    }
}
