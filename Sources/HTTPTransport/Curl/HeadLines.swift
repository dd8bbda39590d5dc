import Glibc
import HTTPTypes

/// The lines of a head as they came, without their ends.
struct HeadLines {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    var count: Int { ends.count }

    /// Makes room for what most heads are.
    init() {
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

    /// The value of a line with this name, written in the same way; nil for any other line.
    func value(_ place: Int, of name: HTTPField.Name) -> String? {
        withLine(place) { line in
            var name = name.rawName
            let length = name.withUTF8 { name in
                let isSame = line.count > name.count && memcmp(line.baseAddress!, name.baseAddress!, name.count) == 0
                return isSame ? name.count : nil
            }
            guard let length, line[length] == .colon else { return nil }
            return UnsafeRawBufferPointer(rebasing: line[(length + 1)...]).trimmed
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
    private var lines = HeadLines()
    private var fields = HTTPFields()

    /// The fields of a head, which is remembered.
    func fields(of new: HeadLines) -> HTTPFields {
        if !update(to: new) {
            let read = new.fields
            var headers = HTTPFields()
            // One by one they would cost more than reading them has.
            headers.reserveCapacity(read.count)
            headers.replaceSubrange(0..<0, with: read)
            fields = headers
        }
        lines = new
        return fields
    }

    /// Reads the lines that differ; false when the heads do not fit together line by line.
    private func update(to new: HeadLines) -> Bool {
        guard new.count == lines.count, new.count == fields.count else { return false }
        for place in 0..<new.count where !new.has(place, as: lines) {
            if let value = new.value(place, of: fields[place].name) {
                fields[place].value = value
            } else {
                guard let field = new.field(place) else { return false }
                fields[place] = field
            }
        }
        return true
    }
}

extension HTTPField {
    /// A line with a name and a value; nil for any other.
    fileprivate init?(line: UnsafeRawBufferPointer) {
        guard let colon = line.firstIndex(of: .colon) else { return nil }
        // A name that is no token cannot be asked for by anyone.
        let name = HTTPField.Name(String(decoding: UnsafeRawBufferPointer(rebasing: line[..<colon]), as: UTF8.self))
        guard let name else { return nil }
        self.init(name: name, value: UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).trimmed)
    }
}

extension UnsafeRawBufferPointer {
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
