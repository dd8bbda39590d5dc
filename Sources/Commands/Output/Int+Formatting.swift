extension Int {
    /// The number with separated thousands from five digits on: `1234`, `12,345`.
    var grouped: String {
        let digits = String(magnitude)
        guard digits.count > 4 else { return String(self) }
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// The number as a length of data in powers of 1000: `812 bytes`, `24 kB`, `2.4 MB`.
    var byteCount: String {
        guard self >= 1_000 else { return self == 1 ? "1 byte" : "\(self) bytes" }
        var unit = 1_000
        var names = ["kB", "MB", "GB", "TB"][...]
        while names.count > 1, self >= unit * 1_000 - unit / 2 {
            unit *= 1_000
            names.removeFirst()
        }
        let tenths = (self / (unit / 10) * 10 + self % (unit / 10) * 10 / (unit / 10) + 5) / 10
        let shown = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
        return "\(shown) \(names[names.startIndex])"
    }

    /// The number as a size in powers of 1024, as limits are given: `512 B`, `8.1 KB`, `2.0 MB`.
    var inBytes: String {
        guard self >= 1_024 else { return "\(self) B" }
        var (size, unit) = (Double(self) / 1_024, "KB")
        for next in ["MB", "GB", "TB"] where size >= 1_024 { (size, unit) = (size / 1_024, next) }
        let tenths = Int((size * 10).rounded())
        return size < 100 ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(Int(size.rounded())) \(unit)"
    }
}
