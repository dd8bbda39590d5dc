import ProviderModel

extension Limits.Rate {
    /// `100 requests in 60 s`.
    var sentence: String { "\(requests) \(requests == 1 ? "request" : "requests") in \(window.inWords)" }

    /// The window declared.
    var window: Duration { .seconds(seconds) }

    /// How much longer than declared a window is taken to be, as the way to the server is not always equally long.
    var margin: Duration { min(.seconds(1), window / 20) }

    /// The time from one slot to the one `requests` later.
    var spacing: Duration { window + margin }

    /// The time in which the window allows one request on average.
    var share: Duration { window / requests }
}
