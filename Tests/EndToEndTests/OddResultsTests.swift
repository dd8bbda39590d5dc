import Foundation
import TestSupport
import Testing

/// Pages with odd values in them, as the built program shows them.
@Suite("Odd values of a source cost no page")
struct OddResultsTests {
    private let home = TemporaryFolder()

    /// A source of pages of five with a width for each item; an empty width stands for no item at all.
    private func source(_ widths: [String]) throws -> LoopbackSource {
        let source = try LoopbackSource { request in
            let page = request.target.contains("page=2") ? 2 : 1
            let items = widths.dropFirst((page - 1) * 5).prefix(5).enumerated().map { index, width in
                width.isEmpty ? "null" : "{\"id\": \((page - 1) * 5 + index + 1), \"width\": \(width)}"
            }
            return .answer(
                headers: [("Cache-Control", "max-age=600")],
                text: "{\"total\": \(widths.count), \"items\": [\(items.joined(separator: ","))]}")
        }
        let text = LoopbackSource.provider("loop", port: source.server.port).replacing(
            ".jpg` }]", with: ".jpg`, width: item.width }]")
        try source.add("loop", text.replacing("((item) => ({", with: "((item) => item && ({"))
        return source
    }

    private func run(_ arguments: [String], on source: LoopbackSource) throws -> CommandRun {
        try CommandRun(arguments + source.arguments, environment: ["HOME": home.path])
    }

    private let search = ["search", "-p", "loop", "-f", "{id} {media.width}", "fox"]
    private static let odd = ["640", "0", "-1", "", "\"12\"", "12.5", "640", "", "640", "640"]

    private func warnings(_ run: CommandRun) -> [String] {
        run.errors.split(separator: "\n").map(String.init).filter { $0.hasPrefix("warning:") }
    }

    @Test func theyAreLeftOutWithOneWarningForEachField() throws {
        let source = try source(Self.odd)
        let expected = [
            "warning: loop: left out 4 values, first items[1].media[0].width: expected a whole number of pixels, found 0",
            "warning: loop: skipped 2 items, first items[3]: expected an item, found null",
        ]
        // The second is answered from the cache, and says the same.
        for _ in 1...2 {
            let run = try run(search, on: source)
            #expect(run.status == 0, "\(run.errors)")
            #expect(
                run.output.split(separator: "\n").map { $0.prefix { $0 != " " } } == [
                    "1", "2", "3", "5", "6", "7", "9", "10",
                ])
            #expect(warnings(run) == expected, "\(run.errors)")
        }
        #expect(source.server.requests.count == 2)
        #expect(try warnings(run(search + ["--quiet"], on: source)).isEmpty)
    }

    @Test func strictFailsAtTheFirstAlsoWhereThePageIsKept() throws {
        let source = try source(Self.odd)
        #expect(try run(search, on: source).status == 0)
        for command in [
            search + ["--strict"], ["download", "-p", "loop", "--dry-run", "--strict", "fox", "-d", home.path],
        ] {
            let run = try run(command, on: source)
            #expect(run.status != 0)
            #expect(
                run.errors.contains("items[1].media[0].width: expected a whole number of pixels, found 0"),
                "\(run.errors)")
            #expect(warnings(run).isEmpty)
        }
    }

    @Test func pageMostOfWhichIsWrongFails() throws {
        let source = try source(["640", "", "", "", "640"])
        let run = try run(search, on: source)
        #expect(run.status != 0 && run.output.isEmpty)
        #expect(run.errors.contains("search.parse: items[1]: expected an item, found null"), "\(run.errors)")
    }

    @Test func downloadPlansTheRest() throws {
        let source = try source(Self.odd)
        let run = try run(["download", "-p", "loop", "--dry-run", "fox", "-d", home.path], on: source)
        #expect(run.status == 0, "\(run.errors)")
        #expect(warnings(run).count == 2 && run.errors.contains("8 files to download"), "\(run.errors)")
    }

    @Test func testsOfAProviderAcceptNone() throws {
        let source = try source(Self.odd)
        try "test('all', () => { run.search('fox'); });"
            .write(toFile: source.folder.path + "/loop.test.js", atomically: true, encoding: .utf8)
        let run = try run(["test", "--live", "--filter", "all", "\(source.folder.path)/loop.test.js"], on: source)
        #expect(run.status != 0)
        #expect(
            (run.output + run.errors).contains("items[1].media[0].width: expected a whole number of pixels, found 0"))
    }
}
