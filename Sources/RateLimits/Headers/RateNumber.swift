/// The numbers in rate-limit header lines.
enum RateNumber {
    private static let units: [(names: [String], seconds: Int)] = [
        (["s", "sec", "second", "seconds"], 1), (["m", "min", "minute", "minutes"], 60),
        (["h", "hour", "hours"], 3_600), (["d", "day", "days"], 86_400), (["month"], 30 * 86_400),
    ]

    /// The number a value begins with, decimals cut off, never below zero: `88.0`, `100, 100;w=60`, `20/min`.
    static func leading(in value: some StringProtocol) -> Int? {
        let digits = value.drop { $0 == " " }.prefix { "-.0123456789".contains($0) }
        return ServerClock.number(digits).map { Int(max(0, $0)) }
    }

    /// The length of a unit by its name.
    static func unit(_ name: some StringProtocol) -> Duration? {
        let name = name.lowercased()
        return units.first { $0.names.contains(name) }.map { .seconds($0.seconds) }
    }
}
