import Foundation
import Glibc
import ImgScript
import TestSupport
import Testing

/// Thumbnails beside results, and what is done with results once they are listed.
@Suite(.enabled(if: HelperProcess.path(of: "chafa") != nil, "chafa is not installed"))
struct PreviewTests {
    private static let samples = ["search", "-p", "pixabay", "--sample", "--preview", "-n", "6", "coffee"]

    @Test(arguments: [80, 200, 40, 20])
    func rowsStandBesidePicturesInTheOrderOfTheResults(columns: Int) throws {
        let run = try TerminalRun(Self.samples, columns: columns, rows: 100)
        #expect(try run.end() == 0)
        let listed = try CommandRun(["search", "-p", "pixabay", "--sample", "-n", "6", "-f", "{id}", "coffee"])
        let ids = listed.output.split(separator: "\n").map(String.init)
        let shown = run.screen.text.matches(of: /pixabay:(\d+)/).map { String($0.1) }
        #expect(ids.count == 6 && shown == ids)
        #expect(run.screen.text.contains("▄▄▄") && !run.screen.text.contains("no picture"))
        #expect(run.written.contains("\u{1b}[38;5;"), "256 colours, as TERM says")
        #expect(run.screen.lines.allSatisfy { $0.count <= columns })
    }

    static let graphics: [([String: String], String)] = [
        (["TERM": "xterm-kitty"], "\u{1b}_Ga=T"), (["TERM_PROGRAM": "WezTerm"], "\u{1b}]1337;File=inline=1;width="),
        (["TERM": "foot"], "\u{1b}P"), (["IMGSCRIPT_PREVIEW_FORMAT": "sixels"], "\u{1b}P"),
    ]

    @Test(arguments: graphics)
    func graphicsAreDrawnWhereTheTerminalHasThem(environment: [String: String], start: String) throws {
        let run = try TerminalRun(Self.samples, rows: 100, environment: environment)
        #expect(try run.end() == 0)
        #expect(run.screen.graphics.filter { $0.hasPrefix(start) }.count == 6)
        #expect(!run.screen.text.contains("▄▄▄"))
    }

    @Test func withoutColoursPicturesAreShapes() throws {
        let run = try TerminalRun(Self.samples, rows: 100, environment: ["NO_COLOR": "1", "TERM": "xterm-kitty"])
        #expect(try run.end() == 0)
        #expect(run.screen.graphics.isEmpty && !run.written.contains("\u{1b}[38") && !run.written.contains("\u{1b}[3m"))
        #expect(!run.screen.text.contains("no picture"))
    }

    @Test func damagedPictureIsAPlaceholderAndItsRowStays() throws {
        let source = try FoxSource(total: 6) { request in
            // The second is none at all, the others are damaged within.
            request.path == "/img/20.jpg" ? .answer(404, text: "no") : nil
        }
        let run = try TerminalRun(
            ["search", "-p", "foxes", "--preview", "fox"] + source.common, rows: 100, home: source.home)
        #expect(try run.end() == 0)
        #expect(run.screen.text.matches(of: /foxes:(\d)/).map { String($0.1) } == ["1", "2", "3", "4", "5", "6"])
        #expect(run.screen.lines.contains { $0.contains("│  no picture  │  foxes:2") }, "\(run.screen.text)")
        #expect(!run.screen.text.contains("error"))
    }

    @Test func pictureStandsAboveTheDetailsOfOneImage() throws {
        let run = try TerminalRun(["show", "pixabay:99100000", "--sample", "--preview"], rows: 80)
        #expect(try run.end() == 0)
        let lines = run.screen.lines
        let picture = try #require(lines.firstIndex { $0.hasPrefix("▄▄▄▄▄▄▄▄") })
        #expect(try #require(lines.firstIndex { $0.contains("Licence") }) > picture)
    }

    @Test(arguments: [
        (["TERM": "dumb"], Int32(64), "error: --preview: this terminal can only print (found TERM=dumb or no TERM"),
        (["PATH": "/nowhere"], 1, "error: could not show pictures: chafa is not installed (expected it in PATH)"),
    ])
    func terminalThatCannotDoItIsSaid(environment: [String: String], status: Int32, error: String) throws {
        let run = try TerminalRun(Self.samples, columns: 200, environment: environment)
        #expect(try run.end() == status)
        #expect(run.screen.text.contains(error), "\(run.written)")
    }

    @Test(arguments: [
        (["--preview"], "error: --preview needs a terminal"),
        (["--preview", "-f", "json"], "error: --preview: unsupported format (expected table)"),
        (["--preview", "--tags"], "error: --preview and --tags cannot be combined"),
        (
            ["--preview-format", "ansi"],
            "error: --preview-format: invalid value \"ansi\" (expected auto, kitty, iterm, sixels, symbols)"
        ),
        (["--select"], "error: --select: not interactive (expected a terminal to ask and to be answered at)"),
        (["--select", "-f", "jsonl"], "error: --select: unsupported format (expected table, whose rows have numbers)"),
        (["--select", "--tags"], "error: --select and --tags cannot be combined"),
        (["-d", "x"], "error: --directory: only allowed with --select"),
        (["--open-limit", "3"], "error: --open-limit: only allowed with --open"),
        (
            ["--open", "--open-limit", "0"],
            "error: --open-limit: invalid value \"0\" (expected a whole number from 1 to 1000)"
        ),
    ])
    func whatDoesNotGoTogetherIsSaid(options: [String], error: String) throws {
        let run = try CommandRun(["search", "-p", "pixabay", "--sample", "coffee"] + options)
        #expect(run.status == 64 && run.output == "")
        #expect(run.errors.hasPrefix(error), "\(run.errors)")
    }

    @Test func settingHoldsForTablesAtATerminalOnly() throws {
        let words = ["search", "-p", "pixabay", "--sample", "-n", "3", "coffee"]
        let variables = ["IMGSCRIPT_PREVIEW": "true"]
        let shown = try TerminalRun(words, rows: 60, environment: variables)
        #expect(try shown.end() == 0 && shown.screen.text.contains("▄▄▄"))
        for more in [["--tags"], ["-f", "csv"]] {
            let other = try TerminalRun(words + more, rows: 60, environment: variables)
            #expect(try other.end() == 0 && !other.screen.text.contains("▄▄▄"), "\(other.screen.text)")
        }
        let piped = try CommandRun(words, environment: variables)
        #expect(piped.status == 0 && piped.output.split(separator: "\n").count == 3)
    }

    // MARK: - Selecting

    @Test func chosenRowsAreDownloaded() throws {
        let source = try FoxSource()
        let run = try TerminalRun(
            ["search", "-p", "foxes", "--select", "-d", source.target.path, "fox"] + source.common, columns: 120,
            rows: 60,
            home: source.home)
        try run.wait(for: "Download which? (1,3-5, all, none)")
        run.type("1,9\r")
        try run.wait(for: "error: there is no row 9 (expected numbers from 1 to 6 such as 1,3-5, all or none)")
        run.type("two\r")
        try run.wait(for: "error: found \"two\"")
        run.type("2,5-\r")
        #expect(try run.end() == 0)
        #expect(source.files == ["foxes/2-item-2.jpg", "foxes/5-item-5.jpg", "foxes/6-item-6.jpg"])
        #expect(FileManager.default.fileExists(atPath: "\(source.target.path)/credits.md"))
        #expect(run.screen.text.contains("3 files in "))
    }

    @Test(arguments: ["none\r", "\r", "\u{4}"])
    func noneIsAnAnswer(answer: String) throws {
        let source = try FoxSource()
        let run = try TerminalRun(
            ["search", "-p", "foxes", "--select", "-d", source.target.path, "fox"] + source.common, home: source.home)
        try run.wait(for: "Download which?")
        run.type(answer)
        #expect(try run.end() == 0)
        #expect(source.files == [] && run.screen.text.contains("nothing to download"))
    }

    @Test func samplesAreOnlyPlanned() throws {
        let folder = TemporaryFolder()
        let run = try TerminalRun(
            ["search", "-p", "pixabay", "--sample", "-n", "3", "--select", "-d", folder.path, "coffee"], columns: 200)
        try run.wait(for: "Download which?")
        run.type("all\r")
        #expect(try run.end() == 0)
        #expect(
            run.screen.text.contains("3 files to download to \(folder.path) · samples: nothing was downloaded"),
            "\(run.screen.text)")
    }

    // MARK: - Opening

    /// A browser that writes the addresses it is given into a pipe.
    private struct Browser {
        let folder = TemporaryFolder()
        private let pipe: Int32

        init() throws {
            mkfifo("\(folder.path)/opened", 0o600)
            pipe = Glibc.open("\(folder.path)/opened", O_RDWR)
            let script = "#!/bin/sh\n[ $# = 1 ] && echo \"$1\" >'\(folder.path)/opened'\n"
            try script.write(toFile: "\(folder.path)/browser", atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/browser")
        }

        /// The next addresses, sorted.
        func opened(_ count: Int) -> [String] {
            var text = ""
            var chunk = [UInt8](repeating: 0, count: 4_096)
            while text.filter({ $0 == "\n" }).count < count {
                var request = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
                guard poll(&request, 1, 20_000) > 0 else { break }
                text += String(decoding: chunk[..<max(read(pipe, &chunk, chunk.count), 0)], as: UTF8.self)
            }
            return text.split(separator: "\n").map(String.init).sorted()
        }

        /// Whether nothing more has been opened.
        var isIdle: Bool {
            var request = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            return poll(&request, 1, 0) == 0
        }

        func close() { Glibc.close(pipe) }
    }

    @Test func pagesOfResultsAreOpenedTenAtMost() throws {
        let browser = try Browser()
        defer { browser.close() }
        let words = ["search", "-p", "pixabay", "--sample", "-n", "12", "coffee"]
        let variables = ["BROWSER": "/nowhere/browser:\(browser.folder.path)/browser %s"]
        let run = try CommandRun(words + ["--open"], environment: variables)
        #expect(run.status == 0)
        #expect(run.errors.hasSuffix("opened 10 pages; 2 more not opened (--open-limit opens more)\n"), "\(run.errors)")
        let pages = try CommandRun(words + ["-f", "{page}"]).output.split(separator: "\n").map(String.init)
        #expect(browser.opened(10) == pages.prefix(10).sorted() && browser.isIdle)
        let all = try CommandRun(words + ["--open", "--open-limit", "20", "-f", "json"], environment: variables)
        #expect(all.errors.hasSuffix("opened 12 pages\n") && all.output.hasPrefix("["))
        #expect(browser.opened(12) == pages.sorted())
    }

    static let missing: [([String: String], String)] = [
        ([:], "error: could not open pages: there is no desktop (expected DISPLAY, WAYLAND_DISPLAY or BROWSER)"),
        (
            ["BROWSER": "/nowhere/browser", "PATH": "/nowhere"],
            "error: could not open pages: xdg-open is not installed"
        ),
    ]

    @Test(arguments: missing)
    func missingBrowserIsSaidOnce(environment: [String: String], error: String) throws {
        let run = try CommandRun(["search", "-p", "pixabay", "--sample", "--open", "coffee"], environment: environment)
        #expect(run.status == 1)
        #expect(run.errors.components(separatedBy: "error: ").count == 2 && run.errors.contains(error), "\(run.errors)")
        #expect(run.output.split(separator: "\n").count == 20, "results are printed all the same")
    }
}
