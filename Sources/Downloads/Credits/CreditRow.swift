import Foundation

/// What the list of credits says of a file.
struct CreditRow: Hashable {
    var key: MediaKey
    /// Where the file lies; nil as long as nobody has said so.
    var path: String?
    /// Where it was to lie, as long as it has no place.
    var planned: String?
    /// The fields of its credit: a stretch of what may hold those of others, too.
    var credit: ArraySlice<UInt8>

    /// The row of a file that has no place yet, or of one that has.
    init(_ key: MediaKey, _ credit: ArraySlice<UInt8>, plannedAt planned: String? = nil, at path: String? = nil) {
        (self.key, self.credit, self.planned, self.path) = (key, credit, planned, path)
    }
}

/// The rows of files that were about to get their names, as journals keep them.
extension CreditRow {
    /// The rows of a journal's records.
    ///
    /// What was in memory when a machine lost its power may be missing: then zeros lie there.
    static func rows(ofJournal records: ArraySlice<UInt8>) -> [CreditRow] {
        records.split(separator: KeptFields.recordEnd).compactMap { record in
            record.withUnsafeBufferPointer { bytes in
                var fields = KeptFields.Reader(bytes)
                guard !bytes.contains(0), let key = fields.next() else { return nil }
                let planned = fields.next()
                return CreditRow(
                    MediaKey(stored: key.text), record.suffix(fields.count), plannedAt: planned.map(\.text))
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
            return CreditRow(MediaKey(stored: key), credit.bytes[...], plannedAt: values[2])
        }
    }
}
