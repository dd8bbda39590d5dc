import ProviderModel
import WorkerProtocol

/// Fields of an item that the contract does not name, gathered so that nothing a source says is lost.
struct UnknownFields {
    /// An object up to its last member, as they are written.
    private var json: [UInt8] = []

    /// Begins another item.
    mutating func removeAll() { json.removeAll(keepingCapacity: true) }

    /// Writes the fields as one object, if there are any.
    mutating func write(to writer: inout ByteWriter) {
        guard !json.isEmpty else { return }
        json.append(UInt8(ascii: "}"))
        writer.write(WireField.Item.extra.rawValue)
        writer.write(json)
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
        json.append(UInt8(ascii: json.isEmpty ? "{" : ","))
        json.append(contentsOf: name)
        json.append(UInt8(ascii: ":"))
        json.append(contentsOf: value)
    }
}
