/// The names of an enumeration's cases, found by their bytes.
///
/// A page has ten thousand members, each with a name to look up: as numbers they are compared in no time, while making a
/// `String` of each and going through the cases took longer than reading the values.
struct NameTable<Value: RawRepresentable<String> & CaseIterable & Sendable>: Sendable {
    private let entries: [(name: ShortName, value: Value)]

    /// The table of all cases; their names have at most 16 bytes.
    init() {
        entries = Value.allCases.map { value in
            var text = value.rawValue
            let name = text.withUTF8 { ShortName($0) }
            guard let name else { preconditionFailure("a name that is too long: \(text)") }
            return (name, value)
        }
    }

    /// The case with a name; nil where there is none.
    func value(named bytes: UnsafeBufferPointer<UInt8>) -> Value? {
        guard let name = ShortName(bytes) else { return nil }
        for entry in entries where entry.name == name { return entry.value }
        return nil
    }
}

/// A name of at most 16 bytes as numbers: its length, its first bytes and its last, which may overlap.
private struct ShortName: Equatable, Sendable {
    private let count: Int
    private let first: UInt64
    private let last: UInt64

    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        let name = UnsafeRawBufferPointer(bytes)
        count = name.count
        switch count {
        case 8...16:
            first = name.loadUnaligned(as: UInt64.self)
            last = name.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        case 4..<8:
            first = UInt64(name.loadUnaligned(as: UInt32.self))
            last = UInt64(name.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
        case 1..<4:
            first = UInt64(name[0])
            last = UInt64(name[count / 2]) << 8 | UInt64(name[count - 1])
        default: return nil
        }
    }
}
