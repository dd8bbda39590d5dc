import HTTPTypes
import ProviderModel

/// A request as copied from documentation and browsers: a command line of curl.
package struct CurlCommand: Hashable, Sendable {
    /// The method.
    package var method: String
    /// Where to, keys included.
    package var url: WebURL
    /// Header lines in their order.
    package var headers: [NamedValue] = []
    /// What is sent, if anything.
    package var body: [UInt8] = []
    /// `user:password` of `-u`.
    package var user: String?

    /// A plain request for a page.
    package init(url: WebURL) {
        method = "GET"
        self.url = url
    }

    /// Reads a command line, or a URL alone.
    package init(parsing line: String) throws(DraftError) {
        // A URL alone is one as it stands, its quotes included.
        let bare = line.trimmingSpaces
        if bare.hasPrefix("http://") || bare.hasPrefix("https://"), !bare.contains(where: \.isWhitespace) {
            var parts = CurlParts()
            parts.url = bare.replacing("\"", with: "%22")
            self = try parts.command()
            return
        }
        guard var words = ShellWords(line)?.words else {
            throw DraftError(
                "the curl command has an unclosed quote; quote the whole command with '")
        }
        // A prompt, or variables set before the command.
        while let first = words.first, first == "$" || first == "%" || Self.isAssignment(first) { words.removeFirst() }
        if words.first.map({ $0 == "curl" || $0.hasSuffix("/curl") || $0 == "curl.exe" }) == true {
            words.removeFirst()
        }
        var parts = CurlParts()
        try parts.read(words)
        self = try parts.command()
    }

    private static func isAssignment(_ word: String) -> Bool {
        guard let sign = word.firstIndex(of: "="), sign != word.startIndex, !word.contains("://") else { return false }
        return word[..<sign].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}

/// What a command line says, option by option.
private struct CurlParts {
    var method: String?
    var url: String?
    var headers: [NamedValue] = []
    var data: [String] = []
    var isJSON = false
    var putsDataInQuery = false
    var user: String?

    /// Options with a value that do not change the request.
    private static let ignoredWithValue: Set<String> = [
        "-o", "--output", "-m", "--max-time", "--connect-timeout", "--retry", "-w", "--write-out", "-c", "--cookie-jar",
        "--cacert", "--capath", "-x", "--proxy", "--limit-rate", "-D", "--dump-header", "--resolve", "--max-redirs",
        "--ciphers", "--tls-max", "--interface", "--retry-delay", "--stderr", "--trace", "--trace-ascii",
    ]

    /// Short options that take a value, which may stand in the same word: `-XPOST`.
    private static let shortWithValue: Set<Character> = [
        "X", "H", "d", "u", "b", "A", "e", "o", "m", "w", "c", "x", "D", "F", "T", "K",
    ]

    mutating func read(_ words: [String]) throws(DraftError) {
        var rest = Self.expanded(words)[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word.count > 1 else {
                // What stands before a URL without a scheme is a host.
                guard url == nil else {
                    throw DraftError("two URLs in the curl command: \(url!.quoted) and \(word.quoted) (expected one)")
                }
                url = word
                continue
            }
            try read(option: word, &rest)
        }
    }

    private mutating func read(option: String, _ rest: inout ArraySlice<String>) throws(DraftError) {
        func value() throws(DraftError) -> String {
            guard let value = rest.popFirst() else { throw DraftError("curl's \(option) has no value") }
            return value
        }
        switch option {
        case "-X", "--request": method = try value().uppercased()
        case "-H", "--header": try add(header: value())
        case "-d", "--data", "--data-ascii", "--data-raw", "--data-binary": try add(data: value(), option)
        case "--data-urlencode": try add(encoded: value())
        case "--json":
            isJSON = true
            try add(data: value(), option)
        case "--url": url = try value()
        case "-u", "--user": user = try value()
        case "-b", "--cookie":
            let cookies = try value()
            if cookies.contains("=") { headers.append(NamedValue("Cookie", cookies)) }
        case "-A", "--user-agent": _ = try value()
        case "-e", "--referer": headers.append(NamedValue("Referer", try value()))
        case "--oauth2-bearer": headers.append(NamedValue("Authorization", "Bearer \(try value())"))
        case "-G", "--get": putsDataInQuery = true
        case "-I", "--head": method = "HEAD"
        case "-F", "--form", "-T", "--upload-file", "-K", "--config":
            throw DraftError(
                "curl's \(option) is not supported (expected a query, JSON or a form, -d)")
        case _ where Self.ignoredWithValue.contains(option): _ = try value()
        // Flags such as --compressed, -s, -L, -k, and unknown ones, do not change what is requested.
        default: break
        }
    }

    /// `-XPOST`, `-sSL` and `--header=…` as words of their own.
    private static func expanded(_ words: [String]) -> [String] {
        words.flatMap { word -> [String] in
            if word.hasPrefix("--"), let sign = word.firstIndex(of: "=") {
                return [String(word[..<sign]), String(word[word.index(after: sign)...])]
            }
            guard word.hasPrefix("-"), !word.hasPrefix("--"), word.count > 2 else { return [word] }
            let letters = Array(word.dropFirst())
            var result: [String] = []
            for (index, letter) in letters.enumerated() {
                result.append("-\(letter)")
                guard shortWithValue.contains(letter) else { continue }
                if index + 1 < letters.count { result.append(String(letters[(index + 1)...])) }
                break
            }
            return result
        }
    }

    private mutating func add(header line: String) throws(DraftError) {
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
            guard line.hasSuffix(";") else {
                throw DraftError("invalid header \(line.quoted) (expected a name, a colon and a value)")
            }
            return
        }
        let value = line[line.index(after: colon)...].trimmingSpaces
        if !value.isEmpty { headers.append(NamedValue(String(line[..<colon]), value)) }
    }

    private mutating func add(data text: String, _ option: String) throws(DraftError) {
        guard option == "--data-raw" || !text.hasPrefix("@") else {
            throw DraftError(
                "curl's \(option) reads the file \(text.dropFirst().description.quoted) (expected its text in the command)"
            )
        }
        data.append(text)
    }

    /// `name=value`, `=value` or a text alone, of which the value is encoded.
    private mutating func add(encoded text: String) throws(DraftError) {
        guard let sign = text.firstIndex(of: "=") else { return data.append(PercentEncoding.encode(text)) }
        let name = text[..<sign], value = String(text[text.index(after: sign)...])
        data.append(name.isEmpty ? PercentEncoding.encode(value) : "\(name)=\(PercentEncoding.encode(value))")
    }

    func command() throws(DraftError) -> CurlCommand {
        guard var address = url else {
            throw DraftError(
                "no URL in the curl command (expected one such as https://api.example.com/search?q=coffee)")
        }
        if !address.contains("://") { address = "https://\(address)" }
        let joined = data.joined(separator: "&")
        if putsDataInQuery, !joined.isEmpty { address += (address.contains("?") ? "&" : "?") + joined }
        do throws(InvalidURL) {
            var command = CurlCommand(url: try WebURL(address.replacing(" ", with: "%20")))
            command.user = user
            command.headers = headers
            let sendsBody = !data.isEmpty && !putsDataInQuery
            command.method = method ?? (sendsBody ? "POST" : "GET")
            guard sendsBody else { return command }
            command.body = Array((isJSON ? data.joined() : joined).utf8)
            let hasType = headers.contains { $0.name.lowercased() == "content-type" }
            if isJSON, !hasType { command.headers.append(NamedValue("Content-Type", "application/json")) }
            return command
        } catch {
            throw DraftError(
                "invalid URL in the curl command: \(error) (expected one such as https://api.example.com/search?q=coffee)"
            )
        }
    }
}

/// Why no provider can be drafted from the input.
package struct DraftError: Error, Hashable, CustomStringConvertible {
    /// What was found and what was expected.
    package let description: String
    /// What would help.
    package let hint: Hint?

    /// Creates an error.
    package init(_ description: String, hint: Hint? = nil) {
        self.description = description
        self.hint = hint
    }
}
