import CJavaScriptCore
import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import ScriptEngine

/// The feeds of feedparser's tests, read by the module that providers of feeds share.
@Suite(.enabled(if: StandardSuite.folder != nil, "IMGSCRIPT_SUITES names no folder of suites"))
struct FeedStandardSuite {
    @Test func wellFormedFeeds() throws {
        var suite = StandardSuite("feedparser, well-formed feeds", against: "`res.xml`")
        for (name, bytes) in try Self.feeds(in: ["wellformed"], of: suite) {
            let store = DocumentStore()
            let isRead = (try? store.parseXML(bytes, url: "u")) != nil
            suite.note(isRead && store.takeRepairs().isEmpty, name, exception: Self.exception(for: bytes))
        }
        #expect(suite.faults == [])
    }

    @Test func damagedFeeds() throws {
        var suite = StandardSuite("feedparser, damaged feeds", against: "`res.xml`")
        for (name, bytes) in try Self.feeds(in: ["illformed", "encoding"], of: suite) {
            let store = DocumentStore()
            guard (try? store.parseXML(bytes, url: "u")) == nil || !store.takeRepairs().isEmpty else { continue }
            let isRead = (try? store.parseXML(bytes, url: "u")) != nil
            suite.note(isRead, name, exception: Self.exception(for: bytes))
        }
        #expect(suite.faults == [])
    }

    @Test func claims() throws {
        var suite = StandardSuite("feedparser, claims about entries", against: "`feed-theme.js`")
        let reader = try FeedReader(Self.source)
        for (name, bytes) in try Self.feeds(in: ["wellformed"], of: suite) {
            let text = String(decoding: bytes, as: UTF8.self)
            let claims = text.prefix(2_000).matches(
                of:
                    /entries\[0\](?:\['|\.)(title|link|author|published|updated|created)(?:'\])? == u?(?:'([^']*)'|"([^"]*)")/
            )
            guard !claims.isEmpty else { continue }
            let found = reader.first(of: bytes)
            for claim in claims {
                let (field, value) = (String(claim.1), String(claim.2 ?? claim.3 ?? ""))
                suite.note(
                    found.map { Self.holds(field, value, $0) } ?? false, "\(name): \(field) \(value): \(found ?? [:])")
            }
        }
        #expect(suite.faults == [])
    }

    private static func holds(_ field: String, _ value: String, _ item: [String: String]) -> Bool {
        switch field {
        case "title": item["title"] == WrittenText.plain(value)
        case "link": item["page"] == value || value.isEmpty
        case "author": item["author"].map { value.contains($0) || $0.contains(value) } ?? value.isEmpty
        default: WrittenDate(value)?.iso8601 == item["created"]
        }
    }

    private static var source: String {
        get throws {
            try String(
                contentsOf: URL(filePath: #filePath).appending(path: "../../../../providers/feed-theme.js")
                    .standardized,
                encoding: .utf8)
        }
    }

    private static func exception(for feed: [UInt8]) -> String? {
        let text = String(decoding: feed, as: UTF8.self).replacing(/<!--[\s\S]*?-->/, with: "")
        if text.wholeMatch(of: /\s*/) != nil { return "a feed of a comment alone" }
        return text.wholeMatch(of: /\s*(?:<[?!][^>]*>\s*)*<[^<>]*>\s*(?:<[^<>]*>)?\s*/) != nil
            ? "a feed without an element in it" : nil
    }

    /// The feeds below some folders, each with its name.
    private static func feeds(in folders: [String], of suite: StandardSuite) throws -> [(String, [UInt8])] {
        let sdist = try #require(
            try suite.files(in: "sdists").first { $0.hasPrefix("feedparser-") && !$0.hasSuffix(".gz") })
        var feeds: [(String, [UInt8])] = []
        for folder in folders {
            let root = "sdists/\(sdist)/tests/\(folder)"
            let path = URL(filePath: StandardSuite.folder ?? "").appending(path: root).path
            let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
            for file in files.sorted() where file.hasSuffix(".xml") {
                feeds.append(("\(folder)/\(file)", try suite.bytes(of: "\(root)/\(file)")))
            }
        }
        return feeds
    }
}

/// A text as an item has it.
private enum WrittenText {
    static func plain(_ text: String) -> String {
        let value = TestEngine().json("plainText(\(JSONValue.text(text).compact)) ?? ''")
        return JSONValue.found(in: value.utf8)?.textValue ?? value
    }
}

/// Reads feeds as a provider does.
private struct FeedReader {
    private let engine = TestEngine()
    private let read: JSObjectRef

    init(_ theme: String) throws {
        let environment = engine.environment
        _ = try environment.runtime.call(environment.prelude.load, [.text("feed-theme.js"), .text(theme)])
        let script = """
            const { entries } = require('./feed-theme');
            module.exports = (res) => entries(res).map(({ title, page, author, created, tags }) => (
              { title, page, author: author?.name, created, tags: tags.join('|') }));
            """
        let function = try environment.runtime.call(environment.prelude.load, [.text("test.js"), .text(script)])
        read = try environment.runtime.object(function)
        environment.runtime.keep(read)
    }

    /// The first entry's values, as if it had a picture; nil where there is none.
    func first(of feed: [UInt8]) -> [String: String]? {
        let environment = engine.environment
        let picture = "<enclosure url='https://a.example/a.jpg' type='image/jpeg'/>"
        var text = String(decoding: feed, as: UTF8.self)
        for end in ["</item>", "</entry>"] { text = text.replacing(end, with: picture + end) }
        let response = ProviderResponse(status: 200, url: .unset, body: Array(text.utf8))
        let number = environment.responses.add(response)
        do {
            environment.beginStep()
            let value = try environment.runtime.call(
                environment.prelude.response,
                [.number(Double(number)), .number(200), .text("https://127.0.0.1/feed"), .text("[]")])
            let items = try environment.runtime.call(read, [.value(value)])
            let json = try environment.json(of: items)?.string ?? ""
            let first = JSONValue.found(in: json.utf8)?.elements?.first
            return first?.members.map { members in
                Dictionary(members.compactMap { member in member.value.textValue.map { (member.name, $0) } }) {
                    one, _ in one
                }
            }
        } catch {
            return nil
        }
    }
}
