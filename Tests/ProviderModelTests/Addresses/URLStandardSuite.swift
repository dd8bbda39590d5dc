import TestSupport
import Testing

@testable import ProviderModel

/// The tests of the URL Standard and of UTS 46, as browsers run them.
@Suite(.enabled(if: StandardSuite.has("ada-url+ada"), "IMGSCRIPT_SUITES names no folder with this suite"))
struct URLStandardSuite {
    private static let folder = "ada-url+ada/tests/wpt"
    private static let hostBytes = "a host with other characters than letters, digits, - and _ has no server"

    @Test func webPlatformTestsOfURLs() throws {
        var suite = StandardSuite(
            "web-platform-tests, urltestdata.json: http and https, and what is no such URL",
            against: "URLs of both processes")
        for test in try cases(in: "urltestdata.json") {
            let (input, base) = (test["input"]?.textValue ?? "", test["base"]?.textValue)
            let expected = test["href"]?.textValue
            if let expected, !expected.isWebAddress { continue }
            // A base of another scheme is none here.
            if expected == nil, let base, !base.isWebAddress { continue }
            let found = url(input, base)
            let hasUser = expected.map { $0.dropFirst(8).prefix { $0 != "/" }.contains("@") } ?? false
            let isOddHost =
                test["hostname"]?.textValue.map { !$0.utf8.allSatisfy(\.isHostByte) && !$0.hasPrefix("[") } ?? false
            suite.note(
                found == expected, "\(input.debugDescription) in \(base ?? "nothing"): \(found ?? "refused")",
                exception: found != nil
                    ? nil
                    : hasUser || base?.contains("@") == true
                        ? "user names in URLs are refused" : isOddHost ? Self.hostBytes : nil)
        }
        #expect(suite.faults == [])
    }

    @Test(arguments: [
        ("toascii.json", "web-platform-tests, toascii.json"),
        ("IdnaTestV2.json", "Unicode, IdnaTestV2 (as web-platform-tests have it)"),
    ])
    func internationalNames(_ file: String, _ name: String) throws {
        var suite = StandardSuite(name, against: "hosts of URLs")
        for test in try cases(in: file) {
            let (input, expected) = (test["input"]?.textValue ?? "", test["output"]?.textValue)
            let found = (try? WebURL("https://\(input)/"))?.host
            suite.note(
                found == expected, "\(input.debugDescription): \(found ?? "refused")",
                exception: exception(input, expected, found))
        }
        #expect(suite.faults == [])
    }

    private func exception(_ input: String, _ expected: String?, _ found: String?) -> String? {
        if let expected, found == nil {
            if expected.isEmpty { return "a URL has a host" }
            if !expected.utf8.allSatisfy(\.isHostByte) { return Self.hostBytes }
            if expected.utf8.count > 255 { return "no name has more than 255 bytes (RFC 1035 §2.3.4)" }
        }
        // U+3D000 to U+3FC3F.
        let isNew = input.unicodeScalars.contains { (0x3d000...0x3fc3f).contains($0.value) }
        return expected == nil && isNew ? "Unicode 18 has assigned the character" : nil
    }

    private func url(_ input: String, _ base: String?) -> String? {
        guard let base else { return (try? WebURL(input))?.description }
        guard let base = try? WebURL(base) else {
            // An absolute URL needs none.
            return base.isWebAddress ? nil : (try? WebURL(input))?.description
        }
        return (try? base.resolving(input))?.description
    }

    private func cases(in file: String) throws -> [JSONValue] {
        let text = try StandardSuite("", against: "").text(of: "\(Self.folder)/\(file)")
        // Half a character, which a text of a script has as U+FFFD when it gets here.
        let halves = /(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/
        let whole = text.replacing(halves) { $0.output.1 ?? #"\ufffd"# }
        return try #require(JSONValue(parsing: whole.utf8).elements).filter { $0["input"] != nil }
    }
}
