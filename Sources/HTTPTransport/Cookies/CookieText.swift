import ProviderModel

/// Cookies as text: a browser's `cookies.txt` (the Netscape format), or a JSON array as browser extensions write it.
package enum CookieText {
    /// Reads either format.
    ///
    /// - Parameters:
    ///   - text: the content.
    ///   - name: what the text is called in errors, such as the file's path.
    /// - Returns: the cookies in their order.
    /// - Throws: `TransportError` with the line that is not valid; never with what stands in it.
    package static func cookies(in text: String, of name: String) throws(TransportError) -> [Cookie] {
        text.drop(while: \.isWhitespace).first == "[" ? try json(text, name) : try netscape(text, name)
    }

    // MARK: cookies.txt

    /// Seven fields with tabs between them: domain, whether for hosts below, path, secure, end, name, value.
    private static func netscape(_ text: String, _ name: String) throws(TransportError) -> [Cookie] {
        var cookies: [Cookie] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let isHTTPOnly = line.hasPrefix(httpOnlyPrefix)
            let line = isHTTPOnly ? line.dropFirst(httpOnlyPrefix.count) : line
            if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) { continue }
            let fields = line.split(separator: "\t", maxSplits: 6, omittingEmptySubsequences: false).map(String.init)
            guard fields.count >= 6 else {
                throw invalid(
                    "\(name):\(index + 1)",
                    "found \(fields.count == 1 ? "1 field" : "\(fields.count) fields") (expected 7, with tabs between them)"
                )
            }
            guard let end = Double(fields[4]), end.isFinite else {
                throw invalid("\(name):\(index + 1)", "the fifth field is not a time (expected seconds since 1970)")
            }
            let cookie = Cookie(
                name: fields[5], value: fields.count > 6 ? fields[6] : "", domain: fields[0],
                isHostOnly: fields[1].uppercased() != "TRUE", path: fields[2],
                isSecure: fields[3].uppercased() == "TRUE", isHTTPOnly: isHTTPOnly,
                expires: end <= 0 ? nil : Int(min(end, latest)))
            guard let cookie else { throw invalid("\(name):\(index + 1)", "found a name or value that no cookie has") }
            cookies.append(cookie)
        }
        return cookies
    }

    private static let httpOnlyPrefix = "#HttpOnly_"
    private static let latest = 253_402_300_799.0

    // MARK: JSON

    /// The names of the WebExtensions API; the form in which cookies are stored.
    private static func json(_ text: String, _ name: String) throws(TransportError) -> [Cookie] {
        // Why it does not parse would quote what stands there.
        guard let values = (try? JSONValue(parsing: text.utf8))?.elements else {
            throw invalid(name, "found no valid JSON array")
        }
        var cookies: [Cookie] = []
        for (index, value) in values.enumerated() {
            let end = value["expirationDate"].flatMap { $0.kind == "number" ? Double($0.compact) : nil }
            let domain = value["domain"]?.textValue ?? ""
            let cookie = Cookie(
                name: value["name"]?.textValue ?? "", value: value["value"]?.textValue ?? "", domain: domain,
                isHostOnly: value["hostOnly"].map { $0 == .boolean(true) } ?? !domain.hasPrefix("."),
                path: value["path"]?.textValue ?? "/", isSecure: value["secure"] == .boolean(true),
                isHTTPOnly: value["httpOnly"] == .boolean(true), expires: end.map { Int(max(0, min($0, latest))) },
                sameSite: value["sameSite"]?.textValue.flatMap {
                    Cookie.SameSite(rawValue: $0 == "no_restriction" ? "none" : $0.lowercased())
                })
            guard let cookie else {
                throw invalid("\(name): [\(index)]", "found no cookie (expected domain, name and value)")
            }
            cookies.append(cookie)
        }
        return cookies
    }

    /// The cookies as one line of JSON.
    package static func json(_ cookies: [Cookie]) -> String {
        JSONValue.array(
            cookies.map { cookie in
                var members: [JSONValue.Member] = [
                    .init("domain", .text(cookie.domain)), .init("hostOnly", .boolean(cookie.isHostOnly)),
                    .init("path", .text(cookie.path)), .init("secure", .boolean(cookie.isSecure)),
                    .init("httpOnly", .boolean(cookie.isHTTPOnly)), .init("name", .text(cookie.name)),
                    .init("value", .text(cookie.value)),
                ]
                if let end = cookie.expires { members.append(.init("expirationDate", .number(String(end)))) }
                if let site = cookie.sameSite {
                    members.append(.init("sameSite", .text(site == .none ? "no_restriction" : site.rawValue)))
                }
                return .object(members)
            }
        ).compact
    }

    private static func invalid(_ place: String, _ found: String) -> TransportError {
        TransportError(
            .secrets, message: "invalid cookies: \(place): \(found)",
            hint: "export cookies.txt in the Netscape format, or a JSON array of cookies")
    }
}
