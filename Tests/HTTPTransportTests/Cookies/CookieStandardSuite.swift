import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

/// The tests that RFC 6265 was written with, the Public Suffix List's, and the cookie files of neighbouring programs.
struct CookieStandardSuite {
    private static let folder = "abarth+http-state/tests/data"

    /// A `Set-Cookie` line for each of a file, then what is sent to another path.
    @Test(.enabled(if: StandardSuite.has(folder))) func httpStateParser() throws {
        var suite = StandardSuite("http-state, cookie parser", against: "`Set-Cookie` and `Cookie`")
        let json = try JSONValue(parsing: try suite.bytes(of: "\(Self.folder)/parser.json"))
        let names = try suite.files(in: "\(Self.folder)/parser").filter { $0.hasSuffix("-test") }.map {
            String($0.dropLast(5))
        }
        #expect(json.elements?.isEmpty == false)
        for name in names {
            let received = try suite.text(of: "\(Self.folder)/parser/\(name)-test")
            let expected = try suite.text(of: "\(Self.folder)/parser/\(name)-expected")
            let lines = received.split(separator: "\n").map { $0.hasSuffix("\r") ? $0.dropLast() : $0 }
            let url = try WebURL("http://home.example.org:8888/cookie-parser?\(name)")
            var jar = CookieJar()
            var next = try WebURL("http://home.example.org:8888/cookie-parser-result?\(name)")
            for line in lines {
                if line.hasPrefix("Set-Cookie: ") {
                    _ = jar.take([String(line.dropFirst(12))], from: url, at: Self.now)
                } else if line.hasPrefix("Location: ") {
                    next = try url.resolving(String(line.dropFirst(10)))
                }
            }
            let sent = jar.header(for: next, at: Self.now).map { "Cookie: \($0)" } ?? ""
            let wanted = expected.split(separator: "\n").first { $0.hasPrefix("Cookie:") }.map(String.init) ?? ""
            suite.note(
                sent == wanted, "\(name): \(lines) sent \(sent.debugDescription), expected \(wanted.debugDescription)",
                exception: name.hasPrefix("disabled-")
                    ? "switched off by the suite"
                    : name.hasPrefix("optional-")
                        ? "the last Domain counts, also an empty one (RFC 6265bis)"
                        : received.contains("Set-Cookie: =") || received.contains("Set-Cookie:  =")
                            ? "cookies without a name are kept (RFC 6265bis)" : nil)
        }
        #expect(suite.faults == [])
    }

    /// Before the ends that the tests take for the future, and after those that they take for the past.
    private static let now = 1_300_000_000

    @Test(.enabled(if: StandardSuite.has(folder)), arguments: ["examples.json", "bsd-examples.json"])
    func httpStateDates(_ file: String) throws {
        var suite = StandardSuite("http-state, dates: \(file)", against: "`Expires`")
        let text = try suite.text(of: "\(Self.folder)/dates/\(file)").split(separator: "\n").filter {
            !$0.hasPrefix("//")
        }
        let json = try JSONValue(parsing: text.joined(separator: "\n").utf8)
        for test in json.elements ?? [] {
            let text = test["test"]?.textValue ?? ""
            let expected = test["expected"]?.textValue.flatMap(CookieDate.seconds)
            let found = CookieDate.seconds(text)
            suite.note(
                found == expected, "\(text.debugDescription): \(found.map(String.init) ?? "none")", exception: nil)
        }
        #expect(suite.faults == [])
    }

    /// A cookie may be one of the registered domain and of those below it, and of nothing above.
    @Test(.enabled(if: StandardSuite.has("publicsuffix+list"))) func publicSuffixList() throws {
        var suite = StandardSuite("Public Suffix List, tests.txt", against: "the `Domain` of `Set-Cookie`")
        for line in try suite.text(of: "publicsuffix+list/tests/tests.txt").split(separator: "\n")
        where !line.hasPrefix("//") && !line.hasPrefix(".") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 2, words[0] != "null", let url = try? WebURL("https://\(words[0])/") else { continue }
            let registered = words[1] == "null" ? nil : try WebURL("https://\(words[1])/").host
            let labels = url.host.split(separator: ".")
            let accepted = labels.indices.map { labels[$0...].joined(separator: ".") }.filter { domain in
                Cookie(setBy: "a=1; Domain=\(domain)", from: url, at: 0).map { !$0.isHostOnly } ?? false
            }
            suite.note(accepted.last == registered, "\(words): \(accepted)", exception: nil)
        }
        #expect(suite.faults == [])
    }

    private static let cookieFiles = "yt-dlp+yt-dlp/test/testdata/cookies"

    /// Entries of files, whether yt-dlp takes them, and what it makes of their ends.
    @Test(.enabled(if: StandardSuite.has(cookieFiles))) func cookieFilesOfYtDlp() throws {
        var suite = StandardSuite("yt-dlp, test/testdata/cookies", against: "`cookies.txt`")
        for file in try suite.files(in: Self.cookieFiles) {
            let text = try suite.text(of: "\(Self.cookieFiles)/\(file)")
            for line in text.split(separator: "\n") where line.hasPrefix("#HttpOnly_") || !line.hasPrefix("#") {
                let found = try? CookieText.cookies(in: String(line), of: file).first  // none is what is compared
                let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
                let passes =
                    file.hasPrefix("malformed")
                    ? found == nil
                    : found?.name == String(fields[5]) && found?.isHTTPOnly == line.hasPrefix("#")
                        && (found?.expires == nil) == (["", "0"].contains(fields[4]))
                suite.note(
                    passes, "\(line)",
                    exception: fields.count == 6
                        ? "an entry of six fields is a cookie without a value, as in curl" : nil)
            }
        }
        #expect(suite.faults == [])
    }

    /// The two files that gallery-dl's tests write, which stand in their source.
    @Test(.enabled(if: StandardSuite.has("mikf+gallery-dl"))) func cookieFilesOfGalleryDl() throws {
        var suite = StandardSuite("gallery-dl, test/test_cookies.py", against: "`cookies.txt`")
        let source = try suite.text(of: "mikf+gallery-dl/test/test_cookies.py")
        for part in source.components(separatedBy: "fp.write(\"\"\"").dropFirst() {
            let file = part.components(separatedBy: "\"\"\"")[0].replacing("\\t", with: "\t")
            let found = try? CookieText.cookies(in: file, of: "cookies.txt")  // none is what is compared
            let isValid = file.components(separatedBy: "\t").count == 7
            suite.note(isValid ? found?.first?.name == "NAME" : found == nil, file)
        }
        #expect(suite.faults == [])
    }
}
