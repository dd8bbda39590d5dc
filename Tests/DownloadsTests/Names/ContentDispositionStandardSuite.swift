import Foundation
import TestSupport
import Testing

@testable import Downloads

/// Names in `Content-Disposition` as curl and Python read them.
@Suite(.enabled(if: StandardSuite.has("curl+curl"), "IMGSCRIPT_SUITES names no folder with this suite"))
struct ContentDispositionStandardSuite {
    @Test func namesOfCurl() throws {
        var suite = StandardSuite("curl, names of files", against: "`Content-Disposition`")
        for name in try suite.files(in: "curl+curl/tests/data") {
            let bytes = try suite.bytes(of: "curl+curl/tests/data/\(name)")
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.contains("\nContent-Disposition:"), let test = CurlTestFile(name, bytes),
                test.command.contains("-J ") || test.command.contains("-OJ"), let reply = test.lines(of: "data"),
                let header = String(decoding: reply, as: UTF8.self).firstMatch(of: /Content-Disposition: *([^\r\n]*)/)
            else { continue }
            guard let written = text.firstMatch(of: /%LOGDIR\/(name[^"\s]*|MMM[^"\s]*)"/) else { continue }
            let expected = String(written.1).replacingOccurrences(of: "%TESTNUMBER", with: String(name.dropFirst(4)))
            let found = ContentDisposition(String(header.1)).fileName
            suite.note(
                found == expected, "\(name): \(header.1): \(found ?? "none"), expected \(expected)",
                exception: Self.exceptions[name])
        }
        #expect(suite.faults == [])
    }

    private static let exceptions = [
        "test1313": "a single quote at the beginning alone, which is a character of a token (RFC 9110 §5.6.2)"
    ]

    @Test(.enabled(if: StandardSuite.has("python"))) func namesOfPython() throws {
        var suite = StandardSuite("CPython, test_email/test_headerregistry.py", against: "`Content-Disposition`")
        let root = "python/x/usr/lib/python3.11/test/test_email/test_headerregistry.py"
        let text = try suite.text(of: root)
        let start = try #require(text.firstRange(of: "content_disp_params = {")?.upperBound)
        let block = text[start...].prefix(upTo: text[start...].firstRange(of: "\n    }\n")?.lowerBound ?? text.endIndex)
        for test in block.split(separator: /\n        '\w+': \(/).dropFirst() {
            let written = try #require(test.prefixMatch(of: /\s*\(?\s*((?:'[^'\n]*'\s*)+)/))
            let value = written.1.matches(of: /'([^']*)'/).map { String($0.1) }.joined()
            let expected = test.firstMatch(of: /'filename': '([^']*)'/).map { String($0.1) }
            let found = ContentDisposition(value).fileName
            suite.note(found == expected, "\(value): \(found ?? "none")")
        }
        #expect(suite.faults == [])
    }
}
