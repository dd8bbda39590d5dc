/// Hosts of URLs in their one form (URL Standard §3.5): a name in ASCII, an IPv4 address in four decimal numbers, or an
/// IPv6 address in brackets.
///
/// An address in another spelling, such as `0x7f.1` or full-width digits, is what it means before anything is compared.
enum HostParser {
    /// Returns the host; nil for what is none.
    ///
    /// Of the names that the standard allows, those with other characters than letters, digits, `-`, `_` and `.` are
    /// refused: no server has one, and libcurl sends no request to one.
    static func parse(_ bytes: ArraySlice<UInt8>) -> String? {
        if bytes.first == UInt8(ascii: "[") {
            guard bytes.last == UInt8(ascii: "]"), bytes.count > 2 else { return nil }
            return IPv6Parser(bytes.dropFirst().dropLast()).pieces.map { "[\(text(of: $0))]" }
        }
        guard let name = String(validating: percentDecoded(bytes), as: UTF8.self), let host = DomainName.ascii(name),
            !host.isEmpty, host.utf8.count <= 255, host.utf8.allSatisfy(\.isHostByte)
        else { return nil }
        return endsInNumber(host) ? address(host) : host
    }

    private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first?.hexadecimalValue,
                let low = rest.dropFirst().first?.hexadecimalValue
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    // MARK: IPv4

    /// The parts between dots; a dot at the end begins none.
    private static func parts(of host: String) -> [Substring.UTF8View] {
        let parts = host[...].utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count > 1 && parts.last?.isEmpty == true ? parts.dropLast() : parts
    }

    private static func endsInNumber(_ host: String) -> Bool {
        guard let last = parts(of: host).last, !last.isEmpty else { return false }
        return last.allSatisfy { (0x30...0x39).contains($0) } || number(last) != nil
    }

    /// A number in decimal, octal after `0`, or hexadecimal after `0x`.
    private static func number(_ part: Substring.UTF8View) -> UInt64? {
        guard !part.isEmpty else { return nil }
        let isHexadecimal = part.starts(with: "0x".utf8)
        let digits = part.dropFirst(isHexadecimal ? 2 : part.count > 1 && part.first == UInt8(ascii: "0") ? 1 : 0)
        let radix: UInt64 = isHexadecimal ? 16 : digits.count < part.count ? 8 : 10
        var number: UInt64 = 0
        for byte in digits {
            guard let digit = byte.hexadecimalValue.map(UInt64.init), digit < radix else { return nil }
            // What is larger is no address whatever follows.
            number = min(number * radix + digit, 1 << 40)
        }
        return number
    }

    private static func address(_ host: String) -> String? {
        let parts = parts(of: host)
        let numbers = parts.compactMap(number)
        guard numbers.count == parts.count, numbers.count <= 4, let last = numbers.last,
            numbers.dropLast().allSatisfy({ $0 < 256 }), last < 1 << (8 * (5 - numbers.count))
        else { return nil }
        let whole = numbers.dropLast().enumerated().reduce(last) { $0 + $1.element << (8 * (3 - $1.offset)) }
        return [24, 16, 8, 0].map { String(whole >> $0 & 0xff) }.joined(separator: ".")
    }

    // MARK: IPv6

    /// Pieces in lower-case hexadecimal, the first of the longest runs of zeros as `::`.
    private static func text(of pieces: [UInt16]) -> String {
        var (best, run): (Range<Int>, Range<Int>) = (0..<0, 0..<0)
        for (index, piece) in pieces.enumerated() {
            run = piece == 0 ? (run.upperBound == index && !run.isEmpty ? run.lowerBound : index)..<(index + 1) : 0..<0
            if run.count > best.count { best = run }
        }
        let words = { (pieces: ArraySlice<UInt16>) in pieces.map { String($0, radix: 16) }.joined(separator: ":") }
        guard best.count > 1 else { return words(pieces[...]) }
        return "\(words(pieces[..<best.lowerBound]))::\(words(pieces[best.upperBound...]))"
    }
}

/// The eight pieces of an IPv6 address (URL Standard §3.5, the IPv6 parser).
private struct IPv6Parser {
    /// The pieces; nil for what is no address.
    private(set) var pieces: [UInt16]?
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
        pieces = parse()
    }

    private mutating func parse() -> [UInt16]? {
        var (before, after): ([UInt16], [UInt16]?) = ([], nil)
        if rest.first == UInt8(ascii: ":") {
            guard rest.starts(with: "::".utf8) else { return nil }
            rest = rest.dropFirst(2)
            after = []
        }
        while !rest.isEmpty {
            let count = before.count + (after?.count ?? 0)
            guard count < 8 else { return nil }
            if rest.first == UInt8(ascii: ":") {
                guard after == nil else { return nil }
                rest = rest.dropFirst()
                after = []
                continue
            }
            let digits = rest.prefix { $0.hexadecimalValue != nil }.prefix(4)
            let next = rest.dropFirst(digits.count).first
            var found: [UInt16]
            if next == UInt8(ascii: ".") {
                guard count <= 6, let four = fourBytes(), rest.isEmpty else { return nil }
                found = [UInt16(four[0]) << 8 | UInt16(four[1]), UInt16(four[2]) << 8 | UInt16(four[3])]
            } else {
                // No digit is a piece of 0, which only an empty text behind "::" may be.
                guard !digits.isEmpty else { return nil }
                found = [digits.reduce(0) { $0 << 4 | UInt16($1.hexadecimalValue ?? 0) }]
                rest = rest.dropFirst(digits.count)
                if next == UInt8(ascii: ":") {
                    rest = rest.dropFirst()
                    guard !rest.isEmpty else { return nil }
                } else if next != nil {
                    return nil
                }
            }
            if after == nil { before += found } else { after? += found }
        }
        guard let after else { return before.count == 8 ? before : nil }
        guard before.count + after.count < 8 else { return nil }
        return before + [UInt16](repeating: 0, count: 8 - before.count - after.count) + after
    }

    /// The IPv4 address at the end: four decimal numbers without leading zeros.
    private mutating func fourBytes() -> [UInt8]? {
        let parts = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        rest = []
        let numbers = parts.compactMap { part -> UInt8? in
            guard !part.isEmpty, part.allSatisfy({ (0x30...0x39).contains($0) }),
                part.count == 1 || part.first != UInt8(ascii: "0")
            else { return nil }
            return UInt8(String(decoding: part, as: UTF8.self))
        }
        return numbers.count == 4 && parts.count == 4 ? numbers : nil
    }
}

extension UInt8 {
    /// Whether a byte may stand in the name of a host.
    var isHostByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: self == UInt8(ascii: ".") || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
        }
    }
}
