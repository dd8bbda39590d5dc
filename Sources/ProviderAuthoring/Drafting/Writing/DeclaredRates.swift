import HTTPTypes
import ProviderModel

/// The rates that a response's header lines declare: `RateLimit-Policy`, `X-RateLimit-Limit`.
struct DeclaredRates: Sendable {
    /// The list of the manifest, `['100/1m']`; nil where no line says over what time.
    let literal: String?
    /// The line it was read from; empty for none.
    let note: String

    /// Reads header lines.
    init(in headers: HTTPFields) {
        let policies = headers.filter { ["ratelimit-policy", "ratelimit-limit"].contains($0.name.canonicalName) }
        for field in policies {
            let rates = Self.policies(field.value)
            guard !rates.isEmpty else { continue }
            literal = "[\(rates.map(\.asJavaScript).joined(separator: ", "))]"
            note = "\(field.name.rawName): \(field.value)"
            return
        }
        let times = [("second", "1s"), ("minute", "1m"), ("hour", "1h"), ("day", "1d")]
        for field in headers where field.name.canonicalName.hasPrefix("x-ratelimit-limit") {
            note = "\(field.name.rawName): \(field.value)"
            let time = times.first { field.name.canonicalName.hasSuffix("-\($0.0)") }?.1
            literal = time.flatMap { time in Int(field.value).map { "['\($0)/\(time)']" } }
            return
        }
        literal = nil
        note = ""
    }

    /// `100;w=60`, `"burst";q=100;w=60`: how many, over how many seconds.
    private static func policies(_ value: String) -> [String] {
        value.split(separator: ",").compactMap { policy in
            let parts = policy.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            func number(_ name: String) -> Int? {
                parts.first { $0.hasPrefix("\(name)=") }.flatMap { Int($0.dropFirst(2)) }
            }
            guard let count = parts.first.flatMap({ Int($0) }) ?? number("q"), let seconds = number("w") else {
                return nil
            }
            return "\(count)/\(Self.time(seconds))"
        }
    }

    private static func time(_ seconds: Int) -> String {
        for (unit, length) in [("d", 86_400), ("h", 3_600), ("m", 60)] where seconds % length == 0 {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }
}
