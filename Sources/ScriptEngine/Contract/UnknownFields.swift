import ProviderModel

/// Fields of an item that the contract does not name, gathered so that nothing a source says is lost.
struct UnknownFields {
    /// Members of a JSON object, as they are written.
    private var members: [UInt8] = []

    /// The fields as one object, or nil when there are none.
    var json: JSONText? {
        guard !members.isEmpty else { return nil }
        return JSONText(validated: "{" + String(decoding: members, as: UTF8.self) + "}")
    }

    /// Takes the value at the reader under its path below the item.
    mutating func take(_ reader: inout ContractReader, below depth: Int) throws(ContractViolation) {
        var name = JSONWriter()
        name.value(Array(reader.path.dropFirst(depth)).text)
        try append(name.bytes, &reader)
    }

    /// Takes the members of an item's own `extra`.
    mutating func takeExtra(_ reader: inout ContractReader) throws(ContractViolation) {
        if try reader.takeAbsent("an object") { return }
        try reader.rawMembers { reader, name throws(ContractViolation) in try append(name, &reader) }
    }

    /// Takes the value at the reader under a name in quotation marks.
    private mutating func append(
        _ name: some Collection<UInt8>, _ reader: inout ContractReader
    ) throws(ContractViolation) {
        let value = try reader.rawValue()
        guard value.first != UInt8(ascii: "n") else { return }
        if !members.isEmpty { members.append(UInt8(ascii: ",")) }
        members.append(contentsOf: name)
        members.append(UInt8(ascii: ":"))
        members.append(contentsOf: value)
    }
}
