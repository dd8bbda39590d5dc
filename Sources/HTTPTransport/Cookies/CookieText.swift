import ProviderModel

/// Cookies read from a text, and the entries of it that are none.
package struct CookieReading: Sendable {
    /// The cookies in their order.
    package fileprivate(set) var cookies: [Cookie] = []
    /// The entries that were left out, each with its place and reason; never with what stands in them.
    package fileprivate(set) var faults: [String] = []
}

/// Cookies as text: a browser's `cookies.txt` (the Netscape format), or JSON as browser extensions and test tools write it.
package enum CookieText {
    /// Reads either format; an entry that is not valid costs none of the others.
    ///
    /// - Parameters:
    ///   - bytes: the content, in UTF-8 or, with a byte order mark, in UTF-16.
    ///   - name: what the text is called in errors, such as the file's path.
    /// - Returns: the cookies, and what was left out.
    /// - Throws: `TransportError` where nothing but faults was found, with the first.
    package static func read(_ bytes: [UInt8], of name: String) throws(TransportError) -> CookieReading {
        let bytes = withoutMark(bytes)
        let first = bytes.first { !$0.isSpaceOrLineEnd }
        let isJSON = first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
        let reading = isJSON ? try json(bytes, name) : netscape(bytes, name)
        if reading.cookies.isEmpty, let fault = reading.faults.first { throw invalid(fault) }
        return reading
    }

    /// The cookies of a text; the entries that are not valid are left out.
    package static func cookies(in text: String, of name: String) throws(TransportError) -> [Cookie] {
        try read(Array(text.utf8), of: name).cookies
    }

    /// The text in UTF-8 without byte order mark.
    private static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return Array(bytes.dropFirst(3)) }
        let isLittle = bytes.starts(with: [0xff, 0xfe])
        guard isLittle || bytes.starts(with: [0xfe, 0xff]) else { return bytes }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
            let (low, high) = isLittle ? (bytes[place], bytes[place + 1]) : (bytes[place + 1], bytes[place])
            return UInt16(high) << 8 | UInt16(low)
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    // MARK: cookies.txt

    /// Seven fields with tabs between them: domain, whether for hosts below, path, secure, end, name, value.
    private static func netscape(_ bytes: [UInt8], _ name: String) -> CookieReading {
        var reading = CookieReading()
        var number = 0
        var rest = bytes[...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            rest = rest[line.endIndex...]
            rest = rest.dropFirst(rest.starts(with: "\r\n".utf8) ? 2 : 1)
            number += 1
            switch entry(line) {
            case nil: break
            case .success(let cookie)?: reading.cookies.append(cookie)
            case .failure(let fault)?: reading.faults.append("\(name):\(number): \(fault.description)")
            }
        }
        return reading
    }

    /// Why a line is no cookie.
    private struct Fault: Error {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// The cookie of a line; nil for an empty line and a comment.
    private static func entry(_ whole: ArraySlice<UInt8>) -> Result<Cookie, Fault>? {
        var line = whole.drop { $0 == 0x20 }
        // Some programs write this mark, which begins as a comment, in other capitals.
        let isHTTPOnly =
            line.count >= httpOnlyMark.count && zip(line, httpOnlyMark).allSatisfy { $0 | 0x20 == $1 | 0x20 }
        if isHTTPOnly { line = line.dropFirst(httpOnlyMark.count) }
        if line.first == UInt8(ascii: "#") || line.allSatisfy(\.isSpaceOrLineEnd) { return nil }
        guard let text = String(validating: line, as: UTF8.self) else { return .failure(Fault("is not UTF-8")) }
        let fields = fields(of: text)
        guard fields.count >= 6 else {
            return .failure(Fault("found \(fields.count.counted("field")) (expected 7, with tabs between them)"))
        }
        guard let end = end(fields[4]) else {
            return .failure(Fault("the fifth field is not a time (expected seconds since 1970)"))
        }
        // What comes behind the value is of programs that add fields of their own.
        let cookie = Cookie(
            name: fields[5], value: fields.count > 6 ? fields[6] : "", domain: fields[0],
            isHostOnly: !fields[1].isTrue && !fields[0].hasPrefix("."), path: fields[2], isSecure: fields[3].isTrue,
            isHTTPOnly: isHTTPOnly, expires: end == 0 ? nil : end)
        return cookie.map { .success($0) } ?? .failure(Fault("found a name or value that no cookie has"))
    }

    /// The fields between tabs; between spaces where tabs were lost, as a copy from a terminal loses them.
    private static func fields(of line: String) -> [String] {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count < 6 else { return fields }
        let words = line.split(maxSplits: 6, whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
        guard words.count >= 6, [words[1], words[3]].allSatisfy({ $0.isTrue || $0.lowercased() == "false" }) else {
            return fields
        }
        return words
    }

    /// The seconds of an end, 0 for the end of the session; nil for what is no time.
    private static func end(_ field: String) -> Int? {
        let text = field.filter { $0 != " " }
        guard !text.isEmpty else { return 0 }
        guard let number = Double(text), number.isFinite else { return nil }
        return end(number)
    }

    private static func end(_ number: Double) -> Int? {
        guard number > 0 else { return 0 }
        // Beyond the year 9999 it is in a smaller unit, as some programs write it: in microseconds since 1601 those of Chromium.
        let seconds =
            switch number {
            case ...latest: number
            case ...(1_000 * latest): number / 1_000
            case ...(1e6 * era): number / 1e6
            default: number / 1e6 - era
            }
        return (0...latest).contains(seconds) ? Int(seconds) : nil
    }

    private static let httpOnlyMark = Array("#HttpOnly_".utf8)
    private static let latest = 253_402_300_799.0
    /// The seconds from 1601 to 1970.
    private static let era = 11_644_473_600.0

    // MARK: JSON

    /// A list of cookies, or an object with one by the name `cookies`.
    private static func json(_ bytes: [UInt8], _ name: String) throws(TransportError) -> CookieReading {
        // Why it does not parse would quote what stands there.
        let json = try? JSONValue(parsing: bytes)
        guard let values = json?.elements ?? json?["cookies"]?.elements else {
            throw invalid("\(name): found no valid JSON array")
        }
        var reading = CookieReading()
        for (index, value) in values.enumerated() {
            if let cookie = cookie(value) {
                reading.cookies.append(cookie)
            } else {
                reading.faults.append("\(name): [\(index)]: found no cookie (expected domain, name and value)")
            }
        }
        return reading
    }

    /// The names of the WebExtensions API, which is the form in which cookies are stored, of Playwright and of Selenium.
    private static func cookie(_ value: JSONValue) -> Cookie? {
        let field = value["expirationDate"] ?? value["expires"] ?? value["expiry"]
        let number = field.flatMap { $0.kind == "number" ? Double($0.compact) : nil }
        let isOfSession = number.map { $0 <= 0 } ?? true || value["session"] == .boolean(true)
        let domain = value["domain"]?.textValue ?? ""
        return Cookie(
            name: value["name"]?.textValue ?? "", value: value["value"]?.textValue ?? "", domain: domain,
            isHostOnly: value["hostOnly"].map { $0 == .boolean(true) } ?? !domain.hasPrefix("."),
            path: value["path"]?.textValue ?? "/", isSecure: value["secure"] == .boolean(true),
            isHTTPOnly: value["httpOnly"] == .boolean(true),
            expires: isOfSession ? nil : number.flatMap { end($0) } ?? Int(latest),
            sameSite: value["sameSite"]?.textValue.flatMap {
                Cookie.SameSite(rawValue: $0 == "no_restriction" ? "none" : $0.lowercased())
            })
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

    private static func invalid(_ fault: String) -> TransportError {
        TransportError(
            .secrets, message: "invalid cookies: \(fault)",
            hint: "export cookies.txt in the Netscape format, or a JSON array of cookies")
    }
}

extension UInt8 {
    fileprivate var isSpaceOrLineEnd: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
}

extension String {
    /// Whether the flag of a `cookies.txt` is set, in any capitals.
    fileprivate var isTrue: Bool { lowercased() == "true" }
}
