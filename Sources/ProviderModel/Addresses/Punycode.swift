/// The encoding of a label's characters in ASCII (RFC 3492), without the prefix `xn--`.
enum Punycode {
    /// Returns the characters of a label; nil for what is no such encoding.
    static func decode(_ text: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
        let delimiter = text.lastIndex(of: UInt8(ascii: "-"))
        var output = text[..<(delimiter ?? text.startIndex)].map { UInt32($0) }
        guard output.allSatisfy({ $0 < 0x80 }) else { return nil }
        var rest = text[(delimiter.map { $0 + 1 } ?? text.startIndex)...]
        var (point, place, bias) = (initialPoint, 0, initialBias)
        while !rest.isEmpty {
            let start = place
            guard let delta = takeNumber(from: &rest, bias: bias), delta <= Int(UInt32.max) else { return nil }
            place += delta
            let count = output.count + 1
            bias = adapt(place - start, count: count, isFirst: start == 0)
            point += place / count
            guard point <= 0x10ffff else { return nil }
            place %= count
            output.insert(UInt32(point), at: place)
            place += 1
        }
        let scalars = output.compactMap { Unicode.Scalar($0) }
        return scalars.count == output.count ? scalars : nil
    }

    /// Returns the encoding of a label.
    static func encode(_ scalars: [Unicode.Scalar]) -> String {
        let points = scalars.map { Int($0.value) }
        var output = points.filter { $0 < 0x80 }.map { UInt8($0) }
        let basicCount = output.count
        var handled = basicCount
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var (point, delta, bias) = (initialPoint, 0, initialBias)
        while handled < points.count {
            // There is one, since not all are handled.
            let next = points.lazy.filter { $0 >= point }.min() ?? point
            delta += (next - point) * (handled + 1)
            point = next
            for candidate in points {
                if candidate < point { delta += 1 }
                guard candidate == point else { continue }
                appendNumber(delta, to: &output, bias: bias)
                bias = adapt(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            point += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    // MARK: Numbers of variable length

    // RFC 3492 §5.
    private static let base = 36
    private static let (leastThreshold, mostThreshold) = (1, 26)
    private static let (skew, damp) = (38, 700)
    private static let (initialPoint, initialBias) = (0x80, 72)

    private static func threshold(_ k: Int, bias: Int) -> Int { min(max(k - bias, leastThreshold), mostThreshold) }

    private static func takeNumber(from rest: inout ArraySlice<UInt8>, bias: Int) -> Int? {
        var (number, weight, k) = (0, 1, base)
        while let byte = rest.popFirst() {
            guard let digit = value(of: byte) else { return nil }
            let (product, hasOverflown) = digit.multipliedReportingOverflow(by: weight)
            guard !hasOverflown, product <= Int(UInt32.max) else { return nil }
            number += product
            let threshold = threshold(k, bias: bias)
            if digit < threshold { return number }
            weight *= base - threshold
            guard weight <= Int(UInt32.max) else { return nil }
            k += base
        }
        return nil
    }

    private static func appendNumber(_ number: Int, to output: inout [UInt8], bias: Int) {
        var (number, k) = (number, base)
        while true {
            let threshold = threshold(k, bias: bias)
            guard number >= threshold else { break }
            output.append(digit(threshold + (number - threshold) % (base - threshold)))
            number = (number - threshold) / (base - threshold)
            k += base
        }
        output.append(digit(number))
    }

    /// RFC 3492 §6.1.
    private static func adapt(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var k = 0
        while delta > (base - leastThreshold) * mostThreshold / 2 {
            delta /= base - leastThreshold
            k += base
        }
        return k + (base - leastThreshold + 1) * delta / (delta + skew)
    }

    private static func value(of byte: UInt8) -> Int? {
        switch byte {
        case 0x61...0x7a: Int(byte) - 0x61
        case 0x41...0x5a: Int(byte) - 0x41
        case 0x30...0x39: Int(byte) - 0x30 + 26
        default: nil
        }
    }

    private static func digit(_ value: Int) -> UInt8 { UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30) }
}
