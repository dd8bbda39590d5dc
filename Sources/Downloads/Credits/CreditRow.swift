import Foundation

/// What the list of credits says of a file.
struct CreditRow: Hashable {
    var key: MediaKey
    /// Where the file lies; nil as long as nobody has said so.
    var path: String?
    /// Where it was to lie, as long as it has no place.
    var planned: String?
    /// The fields of its credit.
    var credit: KeptFields

    /// The row of a file that has no place yet, or of one that has.
    init(_ key: MediaKey, _ credit: KeptFields, plannedAt planned: String? = nil, at path: String? = nil) {
        (self.key, self.credit, self.planned, self.path) = (key, credit, planned, path)
    }

    /// Says where its file came to lie; where it was to lie is of no more use.
    mutating func place(at path: String) { (self.path, planned) = (path, nil) }
}

/// A row of a file that is about to get its name, as journals keep it.
extension CreditRow {
    var record: [UInt8] {
        var fields = KeptFields()
        fields.add(key.description)
        fields.add(planned)
        fields.add(credit)
        fields.endRecord()
        return fields.bytes
    }

    /// The rows of a journal's records.
    ///
    /// What was in memory when a machine lost its power may be missing: then zeros lie there.
    static func rows(ofJournal records: ArraySlice<UInt8>) -> [CreditRow] {
        records.split(separator: KeptFields.recordEnd).compactMap { record in
            record.withUnsafeBufferPointer { record in
                var fields = KeptFields.Reader(record)
                guard !record.contains(0), let key = fields.next() else { return nil }
                let planned = fields.next()
                return CreditRow(
                    MediaKey(stored: String(decoding: key, as: UTF8.self)), KeptFields(Array(fields.rest)),
                    plannedAt: planned.map { String(decoding: $0, as: UTF8.self) })
            }
        }
    }

    /// The rows of a journal of a former version: JSON arrays of key, path, planned, another place, and the credit's fields.
    ///
    /// The last may have broken off, and then its file never got its name.
    static func rows(ofFormerJournal bytes: [UInt8]) -> [CreditRow] {
        bytes.split(separator: 0x0a).compactMap { line in
            guard let values = try? JSONDecoder().decode([String?].self, from: Data(line)), values.count >= 15,
                let key = values[0]
            else { return nil }
            var credit = KeptFields()
            for value in values[4...] { credit.add(value) }
            return CreditRow(MediaKey(stored: key), credit, plannedAt: values[2])
        }
    }
}
