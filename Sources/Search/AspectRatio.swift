import ProviderModel

/// A shape of images: `landscape`, `portrait`, `square`, `16:9`, or a range such as `4:3..16:9`.
public struct AspectRatio: Hashable, Sendable {
    /// Width by height.
    private let range: ClosedRange<Double>

    /// The shapes that have names.
    public static let names = ["landscape", "portrait", "square"]

    /// How far a ratio may be off: 1366×768 is 16:9.
    private static let tolerance = 0.02

    /// Parses a shape; nil when `text` is not one.
    ///
    /// - Parameter text: one of ``names``, `WIDTH:HEIGHT`, or two of these with `..` between them. A ratio admits what differs by
    ///   at most 2 %.
    public init?(_ text: String) {
        switch text.lowercased() {
        case "landscape": range = (1 + Self.tolerance).nextUp ... .infinity
        case "portrait": range = 0...(1 / (1 + Self.tolerance)).nextDown
        case "square": range = Self.near(1, 1)
        default:
            let dots = text.place(of: "..")
            let low = Self.ratio(dots.map { text[..<$0.lowerBound] } ?? text[...])
            let high = dots.map { Self.ratio(text[$0.upperBound...]) } ?? low
            guard let low, let high, low <= high else { return nil }
            range = Self.near(low, high)
        }
    }

    /// The name of a shape that has all of these ratios; nil where there is none.
    var name: String? {
        Self.names.first { name in
            Self(name).map { $0.range.lowerBound <= range.lowerBound && range.upperBound <= $0.range.upperBound }
                ?? false
        }
    }

    /// Whether a size in pixels has the shape.
    func admits(width: Int, height: Int) -> Bool {
        height > 0 && range.contains(Double(width) / Double(height))
    }

    private static func near(_ low: Double, _ high: Double) -> ClosedRange<Double> {
        low / (1 + tolerance)...high * (1 + tolerance)
    }

    private static func ratio(_ text: Substring) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1], (0.001...100_000).contains(width),
            (0.001...100_000).contains(height)
        else { return nil }
        return width / height
    }
}

extension AspectRatio: Encodable {
    /// Encodes the range of ratios as a string, the same for the same shape.
    ///
    /// - Parameter encoder: receives a string such as `1.74..1.81`.
    /// - Throws: an error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(range.lowerBound)..\(range.upperBound)")
    }
}
