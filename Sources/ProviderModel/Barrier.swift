/// Something in front of a source that refused a request, as far as its answer shows it.
package enum Barrier: Hashable, Sendable {
    /// A guard that wants proof of a browser, such as Cloudflare's, DDoS-Guard's or Anubis's.
    case challenge
    /// A server that does not serve this part of the world.
    case region
    /// A page for people where data was asked for: the answer of a gateway, not of the source.
    case page

    /// Finds what refused a request; nil where the source itself answered, or has sent what was wanted.
    ///
    /// - Parameters:
    ///   - status: the HTTP status code.
    ///   - headers: the header lines.
    ///   - body: the content, decompressed.
    ///   - expectsPage: whether a page for people is what was asked for.
    package init?(
        status: Int, headers: some Sequence<(name: String, value: String)>, body: [UInt8], expectsPage: Bool
    ) {
        let names = Self.names
        let known = headers.lazy.filter { names.contains($0.name.lowercased()) }
        let lines = Dictionary(
            known.map { ($0.name.lowercased(), $0.value.lowercased()) }, uniquingKeysWith: { first, _ in first })
        if Self.isChallenge(status, lines) {
            self = .challenge
            return
        }
        guard status >= 400 else {
            // A guard that answers as if all were well.
            let isPage = lines["content-type"]?.hasPrefix("text/html") == true
            guard !expectsPage, isPage, Self.isChallenge(Self.text(of: body)) else { return nil }
            self = .challenge
            return
        }
        let text = Self.text(of: body)
        // Servers label data, plain words and empty bodies as pages too.
        let isPage = text.hasPrefix("<") && lines["content-type"]?.hasPrefix("text/html") != false
        if Self.regionPhrases.contains(where: { text.holds($0) }) {
            self = .region
        } else if isPage, Self.isChallenge(text) || !expectsPage && status == 429 && text.holds("<script") {
            self = .challenge
        } else if isPage, !expectsPage, status == 403 {
            self = .page
        } else {
            return nil
        }
    }

    /// The meaning of the answer in a few words.
    package var meaning: String {
        switch self {
        case .challenge: "a challenge that only browsers solve"
        case .region: "not available in this region"
        case .page: "refused by a page in place of data: this client or network is blocked"
        }
    }

    // MARK: Marks

    private static let names = ["cf-mitigated", "x-amzn-waf-action", "server", "x-datadome", "content-type"]

    /// https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/,
    /// https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-how-it-works.html, and the lines of
    /// DDoS-Guard and DataDome.
    private static func isChallenge(_ status: Int, _ lines: [String: String]) -> Bool {
        if lines["cf-mitigated"] == "challenge" { return true }
        if let action = lines["x-amzn-waf-action"], ["challenge", "captcha"].contains(action) { return true }
        return status == 403 && (lines["server"] == "ddos-guard" || lines["x-datadome"] == "protected")
    }

    private static func isChallenge(_ text: String) -> Bool { challengeMarks.contains { text.holds($0) } }

    /// The beginning of a body in lower case.
    private static func text(of body: [UInt8]) -> String {
        let start = body.prefix(64 << 10).drop { $0 <= 0x20 || $0 >= 0x80 }
        return String(decoding: start.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Of the pages of Cloudflare, Turnstile, DataDome, PerimeterX, Imperva, DDoS-Guard, Sucuri, Anubis and AWS.
    private static let challengeMarks = [
        "_cf_chl_opt", "cf-chl-", "cf-browser-verification", "<title>just a moment...</title>",
        "<title>attention required! | cloudflare</title>", "captcha-delivery.com", "px-captcha", "_incapsula_resource",
        "<title>ddos-guard</title>", "sucuri website firewall", "anubis_challenge", "making sure you&#39;re not a bot",
        "making sure you're not a bot", "awswafintegration", "checking your browser before accessing",
    ]

    private static let regionPhrases = ["region", "country", "location", "territory"].flatMap { place in
        ["your", "this"].flatMap { whose in
            ["available", "viewable", "accessible", "offered"].flatMap { ["not \($0) in \(whose) \(place)"] }
                + [
                    "unavailable in \(whose) \(place)", "blocked in \(whose) \(place)",
                    "restricted in \(whose) \(place)",
                ]
        }
    }
}
