import ProviderModel

/// Fields of an item that the contract does not name, gathered so that nothing a source says is lost.
struct UnknownFields {
    private var members = ""

    /// The fields as one object, or nil when there are none.
    var json: JSONText? { members.isEmpty ? nil : JSONText(validated: "{\(members)}") }

    /// Takes the value at the reader under its path below the item.
    mutating func take(_ reader: inout ContractReader, below depth: Int) throws(ContractViolation) {
        let name = Array(reader.path.dropFirst(depth)).text
        append(name, try reader.json())
    }

    /// Takes the members of an item's own `extra`.
    mutating func takeExtra(_ reader: inout ContractReader) throws(ContractViolation) {
        if try reader.takeAbsent("an object") { return }
        var fields = self
        try reader.object { reader, name throws(ContractViolation) in fields.append(name, try reader.json()) }
        self = fields
    }

    private mutating func append(_ name: String, _ value: JSONText) {
        guard value != .null else { return }
        var key = JSONWriter()
        key.value(name)
        members += (members.isEmpty ? "" : ",") + key.text + ":" + value.description
    }
}
