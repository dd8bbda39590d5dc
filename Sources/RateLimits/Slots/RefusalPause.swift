import ProviderModel

/// How long to leave a server alone that refused a request and did not say until when.
enum RefusalPause {
    /// The share of one request, twice as long with every refusal.
    static func length(ofNumber number: Int, under rates: [Limits.Rate]) -> Duration {
        let share = max(.seconds(1), rates.map(\.share).min() ?? .seconds(2))
        return min(share * (1 << min(number - 1, 16)), longest(under: rates))
    }

    /// The longest such pause: by then the longest window is over, or an hour has passed.
    static func longest(under rates: [Limits.Rate]) -> Duration {
        min(.seconds(3_600), rates.map(\.window).max() ?? .seconds(300))
    }
}
