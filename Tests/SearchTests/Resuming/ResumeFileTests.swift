import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Search

@Suite("A crawl's state is kept in a file")
struct CrawlFileTests {
    private let folder = TemporaryFolder()
    private let key = ResumeKey(.search, text: "red fox", providers: ["b", "a"], options: SearchOptions())

    private var file: ResumeFile { ResumeFile(folder: "\(folder.path)/state/crawls") }

    private var state: CrawlState {
        var finished = ResumeProgress()
        finished.handOut("1")
        finished.pass(passage(cursor: nil, isLast: true))
        finished.total = 1
        var unfinished = ResumeProgress()
        unfinished.handOut("a “quoted” \"id\"\n\u{1}é\u{1F600}")
        unfinished.pass(passage(cursor: #"{"after":"x\"y","n":[1,2.5,null,true]}"#))
        unfinished.handOut("2")
        unfinished.skip("3")
        unfinished.revision = "abc"
        return CrawlState(providers: ["a": unfinished, "b": finished, "c": ResumeProgress()])
    }

    private func passage(cursor: String?, isLast: Bool = false) -> ResumeProgress.Passage {
        let position = ResumeProgress.Position(page: 7, offset: 120, cursor: cursor, pageSize: 20)
        return ResumeProgress.Passage(position: position, leftOut: ["left \\ out"], isLast: isLast)
    }

    /// Puts a text where the crawl's file is.
    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/state/crawls", withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file.path(of: key)))
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/state/crawls").sorted() }
    }

    @Test func whatIsSavedIsLoaded() throws {
        try file.save(state, for: key)
        #expect(try file.load(key) == state)
    }

    @Test func laterStateTakesThePlaceOfTheEarlier() throws {
        let file = file
        var state = state
        for number in 1...5 {
            state.providers["a"]?.handOut("\(number)")
            try file.save(state, for: key)
            #expect(try ResumeFile(folder: "\(folder.path)/state/crawls").load(key) == state)
        }
        #expect(try names == ["\(key.name).json"])
    }

    /// Wherever a run was killed while it wrote, the next goes on at the last place that was written to its end.
    @Test func stateCutShortIsTheOneBefore() throws {
        let file = file
        var states: [CrawlState] = []
        var lengths: [Int] = []
        for number in 1...4 {
            var state = states.last ?? state
            state.providers["a"]?.handOut("\(number)")
            try file.save(state, for: key)
            states.append(state)
            lengths.append(try Data(contentsOf: URL(fileURLWithPath: file.path(of: key))).count)
        }
        let whole = try Data(contentsOf: URL(fileURLWithPath: file.path(of: key)))
        for length in lengths[0]...whole.count {
            try whole.prefix(length).write(to: URL(fileURLWithPath: file.path(of: key)))
            // The last byte ends the line and says nothing.
            let expected = states[lengths.lastIndex { $0 <= length + 1 }!]
            #expect(try ResumeFile(folder: "\(folder.path)/state/crawls").load(key) == expected)
        }
    }

    @Test func fileThatAnotherRunPutInPlaceIsReplaced() throws {
        let file = file
        try file.save(state, for: key)
        try ResumeFile(folder: "\(folder.path)/state/crawls").save(CrawlState(), for: key)
        var later = state
        later.providers["a"]?.handOut("later")
        try file.save(later, for: key)
        #expect(try file.load(key) == later)
    }

    @Test func fileDoesNotGrowWithoutEnd() throws {
        let file = file
        var state = state
        for number in 0..<300 {
            state.providers["a"]?.handOut(String(repeating: "x", count: 100) + "\(number)")
            try file.save(state, for: key)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path(of: key))).count < 2 << 20)
        #expect(try ResumeFile(folder: "\(folder.path)/state/crawls").load(key) == state)
    }

    @Test func fileIsForTheUserAlone() throws {
        try file.save(state, for: key)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path(of: key))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func nothingIsLoadedWhereNothingWasSaved() throws {
        #expect(try file.load(key) == nil)
        try file.save(state, for: key)
        let other = ResumeKey(.search, text: "blue fox", providers: ["a", "b"], options: SearchOptions())
        #expect(try file.load(other) == nil)
    }

    /// Every way a file may have been cut, and some in which it may have been written over.
    @Test func damagedFileIsPutAsideAndToldOf() throws {
        try file.save(state, for: key)
        let whole = try String(contentsOfFile: file.path(of: key), encoding: .utf8).trimmingCharacters(in: .newlines)
        let cut = stride(from: 0, to: whole.utf8.count, by: 7).map {
            String(decoding: whole.utf8.prefix($0), as: UTF8.self)
        }
        let changed = [
            whole.replacing("\"page\":7", with: "\"page\":0"), whole.replacing("\"page\":7", with: "\"page\":\"7\""),
            whole.replacing("\"offset\":120", with: "\"offset\":9000000000000000000"),
            whole.replacing("\"pageSize\":20", with: "\"pageSize\":0"),
            whole.replacing(#""cursor":"{"#, with: #""cursor":"{{"#), "null", "[]",
            String(repeating: "[", count: 100_000),
        ]
        for text in cut + changed {
            #expect(text != whole)
            try write(text)
            let error = #expect(throws: ResumeError.self) { try file.load(key) }
            #expect(error?.code == .damaged)
            #expect(error?.message.contains("was put aside as \(file.path(of: key)).damaged") == true)
            #expect(try names == ["\(key.name).json.damaged"])
            #expect(try String(contentsOfFile: file.path(of: key) + ".damaged", encoding: .utf8) == text)
            #expect(try file.load(key) == nil, "the next run starts from the beginning")
        }
    }

    @Test func fileOfAnotherCrawlOrVersionIsLeftAlone() throws {
        let other = ResumeKey(.feed, text: "", providers: ["a"], options: SearchOptions())
        try file.save(state, for: other)
        let text = try String(contentsOfFile: file.path(of: other), encoding: .utf8)
        for (text, found) in [
            (text, "belongs to another crawl (feed “”)"),
            (#"{"version":2,"places":{}}"#, "is of version 2, expected 1"),
        ] {
            try write(text)
            let error = #expect(throws: ResumeError.self) { try file.load(key) }
            #expect(error?.code == .foreign)
            #expect(error?.message.contains(found) == true)
            #expect(try String(contentsOfFile: file.path(of: key), encoding: .utf8) == text)
        }
    }

    @Test func folderThatCannotBeWrittenIsTold() throws {
        try Data().write(to: URL(fileURLWithPath: "\(folder.path)/state"))
        let error = #expect(throws: ResumeError.self) { try file.save(state, for: key) }
        #expect(error?.code == .storage)
        #expect(error?.message.contains("Not a directory") == true)
    }

    @Test func whatStandsInTheWayIsLeftAloneAndNothingIsLeftBehind() throws {
        try FileManager.default.createDirectory(
            atPath: file.path(of: key) + "/full", withIntermediateDirectories: true)
        #expect(throws: ResumeError.self) { try file.save(state, for: key) }
        #expect(throws: ResumeError.self) { try file.load(key) }
        #expect(try names == ["\(key.name).json"])
    }
}
