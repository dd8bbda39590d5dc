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
        let asked = (attributes["domain"] ?? "").lowercased().drop { $0 == "." }
        let domain = asked.isEmpty ? url.host : String(asked)
        // A name without a dot is a whole top level domain, and the browser's list of others is not needed: what is
        // sent is limited to the provider's hosts.
        guard domain == url.host || domain.contains(".") && Self.domain(domain, isHostOnly: false, matches: url.host)
        else { return nil }
        self.init(
            name: pair[..<equals].trimmed, value: pair[pair.index(after: equals)...].trimmed, domain: domain,
            isHostOnly: asked.isEmpty,
            path: attributes["path"].flatMap { $0.hasPrefix("/") ? $0 : nil }
                ?? Self.defaultPath(of: url),
            isSecure: attributes["secure"] != nil, isHTTPOnly: attributes["httponly"] != nil,
            expires: Self.end(attributes, at: now),
            sameSite: attributes["samesite"].flatMap { SameSite(rawValue: $0.lowercased()) })
        guard isAllowedByPrefix(from: url) else { return nil }
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
        guard let time, let day, let month, let year, year >= 1_601,
            let date = CalendarDay(year: year, month: month, day: day)
        else { return nil }
        return date.number * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2]
    }

    private static func clock(_ token: Substring) -> [Int]? {
        let parts = token.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0.prefix { $0.isASCII && $0.isNumber }) }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        return numbers[0] < 24 && numbers[1] < 60 && numbers[2] < 60 ? numbers : nil
    }
}

extension StringProtocol {
    /// The text without spaces and tabs around it.
    fileprivate var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
