import ProviderModel

extension Cookie {
    /// Reads a `Set-Cookie` line of a server (RFC 6265 §5.2 and §5.3); nil for one that browsers ignore too.
    ///
    /// One whose end has passed deletes the cookie that it replaces.
    package init?(setBy line: String, from url: WebURL, at now: Int) {
        let parts = line.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return nil }
        var attributes: [String: String] = [:]
        for part in parts.dropFirst() {
            let name = part.prefix { $0 != "=" }
            // The last of several counts.
            attributes[name.trimmed.lowercased()] = part.dropFirst(name.count + 1).trimmed
        }
        let asked = (attributes["domain"] ?? "").lowercased()
        guard let domain = asked.isEmpty ? url.host : Self.domain(asked) else { return nil }
        // RFC 6265 §5.3, step 5: a domain of many owners is one for its own host at most.
        let isHostOnly = asked.isEmpty || PublicSuffixes.contains(domain)
        guard Self.domain(domain, isHostOnly: isHostOnly, matches: url.host) else { return nil }
        self.init(
            name: pair[..<equals].trimmed, value: pair[pair.index(after: equals)...].trimmed, domain: domain,
            isHostOnly: isHostOnly,
            path: attributes["path"].flatMap { $0.hasPrefix("/") ? $0 : nil }
                ?? Self.defaultPath(of: url),
            isSecure: attributes["secure"] != nil, isHTTPOnly: attributes["httponly"] != nil,
            expires: Self.end(attributes, at: now),
            sameSite: attributes["samesite"].flatMap { SameSite(rawValue: $0.lowercased()) })
        guard isAllowedByPrefix(from: url) else { return nil }
    }

    /// The domain of an attribute, without its dot and in ASCII (RFC 6265 §5.2.3); nil for what is none.
    private static func domain(_ text: String) -> String? {
        let name = text.hasPrefix(".") ? String(text.dropFirst()) : text
        guard !name.isEmpty, !name.hasPrefix(".") else { return nil }
        return name.utf8.allSatisfy { $0 < 0x80 } ? name : (try? WebURL("https://\(name)/"))?.host
    }

    /// `Max-Age` goes before `Expires`; neither is believed for more than 400 days.
    private static func end(_ attributes: [String: String], at now: Int) -> Int? {
        let longest = 400 * 86_400
        if let age = attributes["max-age"], let seconds = Int(age) {
            return seconds <= 0 ? 0 : now + min(seconds, longest)
        }
        return attributes["expires"].flatMap { CookieDate.seconds($0) }.map { min($0, now + longest) }
    }

    /// `__Secure-` and `__Host-` promise how the cookie was set (RFC 6265bis §4.1.3).
    private func isAllowedByPrefix(from url: WebURL) -> Bool {
        let name = name.lowercased()
        guard !isSecure || url.scheme == .https || url.isLoopback else { return false }
        if name.hasPrefix("__host-") { return isSecure && isHostOnly && path == "/" }
        return !name.hasPrefix("__secure-") || isSecure
    }
}

/// Dates as servers write them into cookies (RFC 6265 §5.1.1).
enum CookieDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Seconds since 1970; nil for what is no date.
    static func seconds(_ text: String) -> Int? {
        var (time, day, month, year): ([Int]?, Int?, Int?, Int?) = (nil, nil, nil, nil)
        for token in text.lowercased().split(whereSeparator: { $0 != ":" && !$0.isLetter && !$0.isNumber }) {
            let digits = token.prefix { $0.isASCII && $0.isNumber }
            if time == nil, let found = clock(token) {
                time = found
            } else if day == nil, (1...2).contains(digits.count) {
                day = Int(digits)
            } else if month == nil, let found = months.firstIndex(of: String(token.prefix(3))) {
                month = found + 1
            } else if year == nil, (2...4).contains(digits.count), let found = Int(digits) {
                year = found + (found < 70 ? 2_000 : found < 100 ? 1_900 : 0)
            }
        }
        guard let time, time[0] < 24, time[1] < 60, time[2] < 60, let day, let month, let year, year >= 1_601,
            let date = CalendarDay(year: year, month: month, day: day)
        else { return nil }
        return date.number * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2]
    }

    /// Three numbers of one or two digits; whether they are a time is checked when all is known.
    private static func clock(_ token: Substring) -> [Int]? {
        let parts = token.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.enumerated().compactMap { index, part -> Int? in
            let digits = part.prefix { $0.isASCII && $0.isNumber }
            return (1...2).contains(digits.count) && (index == 2 || digits == part) ? Int(digits) : nil
        }
        return parts.count == 3 && numbers.count == 3 ? numbers : nil
    }
}

extension StringProtocol {
    /// The text without spaces and tabs around it.
    fileprivate var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
