import Foundation
import ProviderModel
import ProviderTesting
import Testing

@Suite("Reports")
struct ReportersTests {
    private let report = TestReport(suites: [
        TestReport.Suite(
            "made.test.js", provider: "made", folder: "/providers",
            cases: [
                TestReport.Case("reads", .passed, note: "3 items", duration: .milliseconds(12), memory: 40 << 20),
                TestReport.Case(
                    groups: ["search"], "finds <b> & \"c\"", .failed,
                    problems: [
                        TestReport.Problem(
                            "found 1, expected 2", hint: "count again",
                            location: SourceLocation(file: "made.js", line: 2, column: 3),
                            path: "items[0].id", diff: " a\n-b\n+c")
                    ], output: ["log: hi \u{1b}[2J"]),
                TestReport.Case("later #1", .skipped, note: "no cassette"),
                TestReport.Case("old", .warning, problems: [TestReport.Problem("91 days")]),
            ], duration: .milliseconds(1_250))
    ])

    private func text(_ reporter: some Reporter) -> String {
        var text = ""
        reporter.write(report) { text += $0 }
        return text
    }

    private let source: SourceReader = { $0 == "/providers/made.js" ? "one\n  two\nthree\nfour\nfive" : nil }

    @Test func theTerminalShowsMarksFrameAndDiff() {
        let expected = """
            made.test.js 1.25 s
              ✓ reads · 3 items, the process 40 MB
              search
                ✗ finds <b> & "c"
                  items[0].id: found 1, expected 2
                  at made.js:2:3
                    1 | one
                  > 2 |   two
                      |   ^
                    3 | three
                    4 | four
                   a
                  -b
                  +c
                  → count again
                  console: log: hi \u{FFFD}[2J
              ○ later #1 · no cassette
              ! old
                91 days

            1 failed, 1 with warnings, 1 passed, 1 skipped in 1.25 s

            """
        #expect(
            text(TerminalReporter(source: source, isVerbose: true)).replacing(" · 3 items", with: " · 3 items")
                == expected)
    }

    @Test func theTerminalPaintsByRole() {
        let painted = text(TerminalReporter(paint: { "<\($1)>\($0)</>" }, source: source))
        #expect(
            painted.contains("<passed>✓</>") && painted.contains("<removed>-b</>") && painted.contains("<added>+c</>"))
    }

    @Test func junitCountsAndEscapes() throws {
        let xml = text(JUnitReporter())
        #expect(xml.contains(#"<testsuites tests="4" failures="1" errors="0" skipped="1" time="1.250">"#))
        #expect(
            xml.contains(#"name="search › finds &lt;b&gt; &amp; &quot;c&quot;" file="/providers/made.js" line="2""#))
        #expect(xml.contains(#"<skipped message="no cassette"/>"#))
        #expect(xml.contains("<system-out>log: hi \u{FFFD}[2J</system-out>"))
        #expect(!xml.contains("\u{1b}"))
    }

    @Test func tapHasAPlanAndQuotedDiagnostics() {
        let tap = text(TAPReporter()).split(separator: "\n").map(String.init)
        #expect(tap.first == "TAP version 13")
        #expect(tap.contains("not ok 2 - made.test.js: search › finds <b> & \"c\""))
        #expect(tap.contains("ok 3 - made.test.js: later \\#1 # SKIP no cassette"))
        #expect(tap.contains(#"      diff: " a\n-b\n+c""#))
        #expect(tap.last == "1..4")
    }

    @Test func jsonIsOneObject() throws {
        let json = try JSONValue(parsing: text(JSONReporter()).utf8)
        #expect(json["failed"]?.integerValue == 1 && json["skipped"]?.integerValue == 1)
        let problem = json["suites"]?.elements?[0]["cases"]?.elements?[1]["problems"]?.elements?[0]
        #expect(problem?["file"]?.textValue == "made.js" && problem?["line"]?.integerValue == 2)
    }

    @Test func htmlNeedsNothingElseAndEscapes() {
        let html = text(HTMLReporter(source: source))
        #expect(
            html.contains("finds &lt;b&gt; &amp;") && html.contains("<ins>+c</ins>")
                && html.contains("<mark>&gt; 2 |   two</mark>"))
        #expect(!html.contains("<script") && !html.contains("http://") && !html.contains("https://"))
    }

    @Test func failuresAreLines() {
        #expect(
            report.failures == [
                "made.test.js: search › finds <b> & \"c\": made.js:2:3: items[0].id: found 1, expected 2"
            ])
    }

    @Test func aFrameOutsideTheFileIsNone() {
        #expect(CodeFrame(of: SourceLocation(file: "a.js", line: 9), in: "one\ntwo") == nil)
        #expect(CodeFrame(of: SourceLocation(file: "a.js"), in: "one\ntwo") == nil)
    }

    @Test(arguments: [
        ("a\nb\nc", "a\nx\nc", " a\n-b\n+x\n c"), ("a", "a", " …"), ("", "a", "-\n+a"),
        ("1\n2\n3\n4\n5\n6", "1\n2\n3\n4\n5\n7", " …\n 3\n 4\n 5\n-6\n+7"),
    ])
    func linesAreCompared(_ before: String, _ after: String, _ expected: String) {
        #expect(LineDifference(from: before, to: after).text == expected)
    }
}
