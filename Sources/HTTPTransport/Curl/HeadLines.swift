import Glibc
import HTTPTypes

/// The lines of a head as they came, without their ends.
struct HeadLines {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    var count: Int { ends.count }

    /// Makes room for what most heads are.
    mutating func makeRoom() {
        bytes.reserveCapacity(512)
        ends.reserveCapacity(16)
    }

    /// Adds a line that is not empty.
    mutating func append(_ line: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: line)
        ends.append(bytes.count)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// The fields, one line after another.
    var fields: [HTTPField] {
        var fields: [HTTPField] = []
        fields.reserveCapacity(count)
        /// Whether the last line is among the fields; others cannot be continued either.
        var isLastKept = false
        for place in 0..<count {
            withLine(place) { line in
                // RFC 9112 §5.2: a line that begins with white space continues the one before.
                if line.isContinuation {
                    if isLastKept { fields[fields.count - 1].value += " " + line.trimmed }
                } else {
                    let field = HTTPField(line: line)
                    isLastKept = field != nil
                    if let field { fields.append(field) }
                }
            }
        }
        return fields
    }

    /// The field of a line that stands for itself; nil where there is none.
    func field(_ place: Int) -> HTTPField? {
        withLine(place) { $0.isContinuation ? nil : HTTPField(line: $0) }
    }

    /// The value of a line with the name that a field of another head has there, written in the same way; nil for any
    /// other line.
    func value(_ place: Int, namedAs other: HeadLines) -> String? {
        withLine(place) { line in
            guard let colon = line.place(of: .colon) else { return nil }
            let isSame = other.withLine(place) { other in
                colon < other.count && memcmp(line.baseAddress!, other.baseAddress!, colon + 1) == 0
            }
            return isSame ? UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).trimmed : nil
        }
    }

    /// Whether a line is the same as one of another head.
    func has(_ place: Int, as other: HeadLines) -> Bool {
        withLine(place) { line in
            other.withLine(place) { other in
                line.count == other.count && memcmp(line.baseAddress!, other.baseAddress!, line.count) == 0
            }
        }
    }

    private func withLine<Result>(_ place: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = place == 0 ? 0 : ends[place - 1]
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<ends[place]])) }
    }
}

/// The head of the last answer: servers say most of it again in the next, which then need not be read anew.
///
/// Used on one thread only.
final class HeadMemory {
    // All are looked at for every line of every head.
    @exclusivity(unchecked) private var lines = HeadLines()
    @exclusivity(unchecked) private var fields = HTTPFields()
    /// Where the fields stand that say how the body comes.
    @exclusivity(unchecked) private(set) var placesOfFraming: [Int] = []
    /// What held the head before the last one, for the lines of the next.
    @exclusivity(unchecked) private var spare: HeadLines?

    /// The fields of a head, which is remembered.
    func fields(of new: HeadLines) -> HTTPFields {
        if !update(to: new) {
            let read = new.fields
            var headers = HTTPFields()
            // One by one they would cost more than reading them has.
            headers.reserveCapacity(read.count)
            headers.replaceSubrange(0..<0, with: read)
            fields = headers
            findFraming()
        }
        spare = lines
        lines = new
        return fields
    }

    /// Room for the lines of a head.
    func emptyLines() -> HeadLines {
        var lines = spare.take() ?? HeadLines()
        lines.removeAll()
        lines.makeRoom()
        return lines
    }

    /// Reads the lines that differ; false when the heads do not fit together line by line.
    private func update(to new: HeadLines) -> Bool {
        guard new.count == lines.count, new.count == fields.count else { return false }
        for place in 0..<new.count where !new.has(place, as: lines) {
            if let value = new.value(place, namedAs: lines) {
                fields[place].value = value
            } else {
                guard let field = new.field(place) else { return false }
                fields[place] = field
                findFraming()
            }
        }
        return true
    }

    private func findFraming() {
        placesOfFraming = fields.indices.filter { BodyFraming.fieldNames.contains(fields[$0].name) }
    }
}

extension HTTPField {
    /// A line with a name and a value; nil for any other.
    fileprivate init?(line: UnsafeRawBufferPointer) {
        guard let colon = line.place(of: .colon) else { return nil }
        // A name that is no token cannot be asked for by anyone.
        let name = HTTPField.Name(String(decoding: UnsafeRawBufferPointer(rebasing: line[..<colon]), as: UTF8.self))
        guard let name else { return nil }
        self.init(name: name, value: UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).trimmed)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func place(of byte: UInt8) -> Int? {
        memchr(baseAddress!, CInt(byte), count).map { baseAddress!.distance(to: UnsafeRawPointer($0)) }
    }

    fileprivate var isContinuation: Bool { self[0] == .space || self[0] == .tab }

    fileprivate var trimmed: String {
        var (start, end) = (0, count)
        while start < end, self[start] == .space || self[start] == .tab { start += 1 }
        while end > start, self[end - 1] == .space || self[end - 1] == .tab { end -= 1 }
        return String(decoding: UnsafeRawBufferPointer(rebasing: self[start..<end]), as: UTF8.self)
    }
}

extension UInt8 {
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
    static let colon = UInt8(ascii: ":")
}
