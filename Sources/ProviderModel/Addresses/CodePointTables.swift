/// The tables of code points that international host names need, read from their text when the first such name comes.
struct CodePointTables: Sendable {
    static let shared = CodePointTables()

    /// How a character is written within its line, as far as RFC 5893 tells kinds apart.
    enum Direction: Character, Sendable {
        case leftToRight = "L"
        case rightToLeft = "R"
        case arabicNumber = "A"
        case number = "E"
        case none = "O"
        case mark = "M"
    }

    /// Neighbouring code points that are moved alike, each or every second one.
    private struct Shift: Sendable {
        let points: ClosedRange<UInt32>
        let step: UInt32
        let offset: Int32
    }

    private let shifts: [Shift]
    private let replacements: [UInt32: String]
    private let ignored: PointSet
    private let disallowed: PointSet
    private let directions: [(start: UInt32, kind: Direction)]
    private let joiningLeft: PointSet
    private let joiningRight: PointSet
    private let joiningBoth: PointSet

    private init() {
        (shifts, replacements) = Self.mappings(in: IDNATables.mapped)
        ignored = PointSet(IDNATables.ignored)
        disallowed = PointSet(IDNATables.disallowed)
        directions = Self.directions(in: IDNATables.directions)
        joiningLeft = PointSet(IDNATables.joiningLeft)
        joiningRight = PointSet(IDNATables.joiningRight)
        joiningBoth = PointSet(IDNATables.joiningBoth)
    }

    // MARK: Mapping

    /// The text with each code point replaced by what it stands for; nil with one that no host has.
    func mapped(_ text: String) -> String? {
        var result = ""
        for scalar in text.unicodeScalars {
            if disallowed.contains(scalar.value) { return nil }
            if ignored.contains(scalar.value) { continue }
            if let replacement = replacement(of: scalar.value) {
                result += replacement
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Whether a code point stands for itself.
    func isValid(_ scalar: Unicode.Scalar) -> Bool {
        let point = scalar.value
        return !disallowed.contains(point) && !ignored.contains(point) && replacement(of: point) == nil
    }

    private func replacement(of point: UInt32) -> String? {
        if let text = replacements[point] { return text }
        let next = shifts.partitioningIndex { $0.points.lowerBound > point }
        guard next > 0, case let shift = shifts[next - 1], shift.points.contains(point),
            (point - shift.points.lowerBound) % shift.step == 0
        else { return nil }
        return Unicode.Scalar(UInt32(Int32(point) + shift.offset)).map { String(Character($0)) }
    }

    // MARK: Kinds

    /// How a character is written within its line.
    func direction(of scalar: Unicode.Scalar) -> Direction {
        if [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory) { return .mark }
        let next = directions.partitioningIndex { $0.start > scalar.value }
        return next > 0 ? directions[next - 1].kind : .leftToRight
    }

    /// Whether a character joins the one behind it.
    func joinsFollowing(_ scalar: Unicode.Scalar) -> Bool {
        joiningLeft.contains(scalar.value) || joiningBoth.contains(scalar.value)
    }

    /// Whether a character joins the one before it.
    func joinsPreceding(_ scalar: Unicode.Scalar) -> Bool {
        joiningRight.contains(scalar.value) || joiningBoth.contains(scalar.value)
    }

    // MARK: Reading

    /// Entries as ``IDNATables`` has them: `GAP,COUNT,STEP,OFFSET` or `GAP=TO.TO/TO`.
    private static func mappings(in table: String) -> ([Shift], [UInt32: String]) {
        var (shifts, replacements): ([Shift], [UInt32: String]) = ([], [:])
        var end: UInt32 = 0
        for word in table.utf8.split(separator: UInt8(ascii: " ")) {
            if let equals = word.firstIndex(of: UInt8(ascii: "=")) {
                end += word[..<equals].hexadecimalNumber
                for text in word[word.index(after: equals)...].split(separator: UInt8(ascii: "/")) {
                    let scalars = text.split(separator: UInt8(ascii: ".")).compactMap {
                        Unicode.Scalar($0.hexadecimalNumber)
                    }
                    replacements[end] = String(String.UnicodeScalarView(scalars))
                    end += 1
                }
            } else {
                let fields = word.split(separator: UInt8(ascii: ","))
                let (start, step) = (end + fields[0].hexadecimalNumber, fields[2].hexadecimalNumber)
                let last = start + (fields[1].hexadecimalNumber - 1) * step
                let isNegative = fields[3].first == UInt8(ascii: "-")
                let offset = Int32(fields[3].dropFirst(isNegative ? 1 : 0).hexadecimalNumber)
                shifts.append(Shift(points: start...last, step: step, offset: isNegative ? -offset : offset))
                end = last + 1
            }
        }
        return (shifts, replacements)
    }

    /// Entries `GAP KIND` without a space between them.
    private static func directions(in table: String) -> [(start: UInt32, kind: Direction)] {
        var end: UInt32 = 0
        return table.split(separator: " ").compactMap { word in
            end += word.dropLast().utf8.hexadecimalNumber
            return word.last.flatMap(Direction.init).map { (end, $0) }
        }
    }
}

/// Code points, as ranges in their order.
private struct PointSet: Sendable {
    private let ranges: [ClosedRange<UInt32>]

    /// Entries `GAP.LENGTH`; a gap begins at the end of the range before.
    init(_ table: String) {
        var end: UInt32 = 0
        ranges = table.utf8.split(separator: UInt8(ascii: " ")).map { word in
            let fields = word.split(separator: UInt8(ascii: "."))
            let start = end + fields[0].hexadecimalNumber
            end = start + fields[1].hexadecimalNumber
            return start...(end - 1)
        }
    }

    func contains(_ point: UInt32) -> Bool {
        let next = ranges.partitioningIndex { $0.lowerBound > point }
        return next > 0 && ranges[next - 1].contains(point)
    }
}

extension Array {
    /// The index of the first element that has a property which all after it have, too.
    fileprivate func partitioningIndex(where hasProperty: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if hasProperty(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Sequence<UInt8> {
    /// The number that hexadecimal digits stand for.
    fileprivate var hexadecimalNumber: UInt32 { reduce(0) { $0 << 4 | UInt32($1.hexadecimalValue ?? 0) } }
}
