import Foundation
import Glibc
import ImgScript
import TestSupport
import Testing

/// `imgscript browse` on a terminal, as a person uses it.
@Suite(.enabled(if: HelperProcess.path(of: "chafa") != nil, "chafa is not installed"))
struct BrowseTests {
    private static let samples = ["browse", "-p", "pixabay", "--sample", "coffee"]

    /// A source whose files are pictures.
    private func source(total: Int = 12) throws -> FoxSource {
        try FoxSource(total: total) { request in
            // The thumbnail of the image 7 is 70.jpg.
            guard request.path.hasPrefix("/img/"), request.path.hasSuffix("0.jpg") else { return nil }
            return .answer(body: SamplePicture(for: request.path, width: 40, height: 30).bytes)
        }
    }

    private func browse(_ source: FoxSource, _ arguments: [String] = []) throws -> TerminalRun {
        try TerminalRun(
            ["browse", "-p", "foxes", "-d", source.target.path] + arguments + source.common + ["fox"], home: source.home
        )
    }

    @Test func imagesAreSeenMarkedAndLeft() throws {
        let run = try TerminalRun(Self.samples)
        try run.wait(for: "a grid of pictures") { $0.text.contains("▄▄▄▄▄") && !$0.text.contains("loading") }
        #expect(run.screen.isAlternate && !run.screen.isCursorVisible && !run.isLineByLine)
        #expect(run.screen.lines[0].hasPrefix(" imgscript  coffee"))
        #expect(run.screen.lines.last?.hasPrefix(" q quit  enter details  space mark  d download  o open") == true)
        #expect(run.screen.lines[1].hasPrefix("┏━━"))
        run.type("\u{1b}[C")
        try run.wait(for: "2 of ")
        #expect(run.screen.lines[1].hasPrefix("                   ┏━━"))
        run.type(" ")
        try run.wait(for: "1 marked · 2 of ")
        #expect(run.screen.text.contains("┃✓ "))
        run.type("\r")
        try run.wait(for: "the details") { $0.text.contains("Licence") && $0.text.contains("esc back") }
        #expect(run.screen.text.contains("✓ marked"))
        run.type("\u{1b}")
        try run.wait(for: "enter details")
        run.type("d")
        try run.wait(for: "samples: nothing is downloaded")
        run.type("q")
        #expect(try run.end() == 0)
        #expect(run.isRestored)
        #expect(run.screen.text.contains("coffee") == false)
    }

    @Test func sizeMayChangeAtAnyTime() throws {
        let run = try TerminalRun(Self.samples)
        try run.wait(for: "2 rows of cells") { $0.lines[1].hasPrefix("┏━") && $0.text.contains("▄▄▄") }
        run.type("G")
        run.resize(columns: 40, rows: 12)
        try run.wait(for: "the selected one of a small screen") {
            $0.lines.count == 12 && $0.text.contains("┏━━━") && $0.text.contains("q quit")
        }
        run.resize(columns: 20, rows: 5)
        try run.wait(for: "20x5, at least 20x8")
        run.resize(columns: 200, rows: 50)
        try run.wait(for: "a large screen") {
            $0.text.contains("┏━━━━━━━━━━━━━━━━━━━━━━") && !$0.text.contains("loading") && $0.text.contains("▄▄▄")
        }
        run.type("\r")
        try run.wait(for: "esc back")
        run.resize(columns: 20, rows: 8)
        try run.wait(for: "small details") { $0.lines.count == 8 && $0.lines[7].contains("q quit") }
        run.type("q")
        #expect(try run.end() == 0)
        #expect(run.isRestored)
    }

    @Test func markedImagesAreDownloadedWithTheirCredits() throws {
        let source = try source()
        let run = try browse(source)
        try run.wait(for: "Item 1")
        run.type(" ll ")
        try run.wait(for: "2 marked")
        run.type("d")
        try run.wait(for: "two files") { $0.text.contains("downloaded 2 files") && $0.text.contains("↓ Item 1") }
        // Once more is no second file.
        run.type("gd")
        try run.wait(for: "downloaded 3 files")
        run.type("q")
        #expect(try run.end() == 0)
        #expect(source.files.count == 2 && source.files.first == "foxes/1-item-1.jpg", "\(source.files)")
        #expect(FileManager.default.fileExists(atPath: "\(source.target.path)/credits.md"))
        #expect(run.screen.text.contains("2 files in"), "\(run.screen.text)")
    }

    @Test func pagesAreFetchedAsOneGoesOn() throws {
        let source = try source(total: 100)
        let run = try browse(source)
        try run.wait(for: "Item 8")
        try run.wait(for: "three more screens") { $0.lines[0].contains("1 of 3") }
        let first = source.requests(for: "/search").count
        #expect(first < 10, "\(first)")
        // The last image that is known, again and again, until it is the last that there is.
        while !run.screen.text.contains("Item 100") {
            let title = run.screen.lines[0]
            run.type("G")
            try run.wait(for: "more images") { $0.lines[0] != title || $0.text.contains("Item 100") }
        }
        #expect(source.requests(for: "/search").count >= 20)
        run.type("q")
        #expect(try run.end() == 0)
    }

    @Test func slashSearchesForSomethingElse() throws {
        let source = try source()
        let run = try browse(source)
        try run.wait(for: "Item 1")
        run.type("/red cubs")
        try run.wait(for: "a line to type in") { $0.text.contains("search: red cubs") && $0.isCursorVisible }
        run.type("\r")
        try run.wait(for: "imgscript  red cubs")
        try run.wait(for: "Item 1")
        #expect(
            source.server.requests.contains { $0.target.contains("q=red%20cubs") || $0.target.contains("q=red+cubs") })
        run.type("q")
        #expect(try run.end() == 0)
    }

    @Test func providerThatFailsIsALine() throws {
        let source = try source()
        let broken = try LoopbackSource("broken") { _ in .answer(404, text: "no") }
        let run = try TerminalRun(
            ["browse", "-p", "foxes", "-p", "broken", "fox"] + source.common + broken.arguments, home: source.home)
        try run.wait(for: "both") { $0.text.contains("Item 1") && $0.text.contains("broken.js:") }
        run.type("q")
        #expect(try run.end() == 0)
        #expect(run.screen.text.contains("error: broken.js:"))
    }

    static let signals: [(Int32, Int32)] = [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)]

    @Test(arguments: signals)
    func signalLeavesTheTerminalAsItWas(signal: Int32, status: Int32) throws {
        let run = try TerminalRun(Self.samples)
        try run.wait(for: "enter details")
        kill(run.id, signal)
        #expect(try run.end() == status)
        #expect(run.isRestored)
    }

    @Test func controlCQuitsAtOnce() throws {
        let run = try TerminalRun(Self.samples)
        try run.wait(for: "enter details")
        run.type("\u{3}")
        #expect(try run.end() == 130)
        #expect(run.isRestored)
    }

    @Test(.enabled(if: HelperProcess.path(of: "bash") != nil))
    func controlZLeadsToTheShellAndBack() throws {
        let run = try TerminalRun(
            ["--norc", "--noprofile", "-i"], executable: "/bin/bash", environment: ["PS1": "shell> "])
        try run.wait(for: "shell>")
        run.type("'\(BuiltExecutable.path(of: "imgscript"))' \(Self.samples.joined(separator: " "))\r")
        try run.wait(for: "enter details")
        run.type("\u{1a}")
        try run.wait(for: "the shell") { !$0.isAlternate && $0.isCursorVisible && $0.text.contains("Stopped") }
        run.type("fg\r")
        try run.wait(for: "the grid again") {
            $0.isAlternate && $0.text.contains("enter details") && $0.text.contains("▄▄▄")
        }
        run.type("lq")
        try run.wait(for: "the shell's prompt") { !$0.isAlternate && $0.lines.contains("shell>") }
        run.type("exit\r")
        #expect(try run.end() == 0)
    }

    @Test(arguments: [
        (["TERM": "dumb"], Int32(64), "error: browse: this terminal can only print (found TERM=dumb or no TERM"),
        (["PATH": "/nowhere"], 1, "error: could not show pictures: chafa is not installed (expected it in PATH)"),
    ])
    func terminalThatCannotDoItIsSaid(environment: [String: String], status: Int32, error: String) throws {
        let run = try TerminalRun(Self.samples, columns: 200, environment: environment)
        #expect(try run.end() == status)
        #expect(run.screen.text.contains(error) && !run.written.contains("\u{1b}[?1049h"), "\(run.written)")
    }

    @Test func withoutATerminalOneSentenceSaysSo() throws {
        let run = try CommandRun(Self.samples)
        #expect(run.status == 64 && run.output == "")
        #expect(
            run.errors.hasPrefix("error: browse needs a terminal for its input\nhint: imgscript search"))
    }
}
