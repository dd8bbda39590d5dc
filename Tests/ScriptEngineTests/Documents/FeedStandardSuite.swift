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
        let reader = try FeedReader()
        for (name, bytes) in try Self.feeds(in: ["wellformed"], of: suite) {
            let text = String(decoding: bytes, as: UTF8.self)
            let claims = text.prefix(2_000).matches(
                of:
                    /entries\[0\](?:\['|\.)(title|link|author|published|updated|created)(?:'\])? == u?(?:'([^']*)'|"([^"]*)")/
            )
            // What Python puts together of several texts, or makes of them, is not read.
            let whole = claims.filter { !text[$0.range.upperBound...].prefix(4).contains(/^ ?[+%.]/) }
            guard !whole.isEmpty else { continue }
            let found = reader.first(of: bytes)
            for claim in whole {
                let (field, value) = (String(claim.1), String(claim.2 ?? claim.3 ?? ""))
                suite.note(
                    found.map { Self.holds(field, value, $0) } ?? false, "\(name): \(field) \(value): \(found ?? [:])",
                    exception: Self.exception(ofClaimsIn: name))
            }
        }
        #expect(suite.faults == [])
    }

    private static func holds(_ field: String, _ value: String, _ item: [String: String]) -> Bool {
        switch field {
        case "title": item["title"] ?? "" == WrittenText.plain(value)
        case "link": item["page"] == value || value.isEmpty || item["page"] == (try? WebURL(value).description)
        case "author": item["author"].map { value.contains($0) || $0.contains(value) } ?? value.isEmpty
        default: WrittenDate(value)?.iso8601 == item["created"]
        }
    }

    private static func exception(ofClaimsIn name: String) -> String? {
        if name.contains("/cdf/") { return "CDF, which is neither RSS nor Atom" }
        return name.hasSuffix("content_location.xml")
            ? "Content-Location, which is no base of URLs any more (RFC 7231 appendix B)" : nil
    }

    private static func exception(for feed: [UInt8]) -> String? {
        if feed.starts(with: [0x4C, 0x6F, 0xA7, 0x94]) { return "EBCDIC, which the Encoding Standard has not" }
        if feed.prefix(4).count(where: { $0 == 0 }) >= 2 || feed.starts(with: [0, 0, 0xFE, 0xFF]) {
            return "UTF-32, which the Encoding Standard has not"
        }
        // Two hyphens in a comment are not well-formed XML; the feed is read all the same, with a warning.
        if String(decoding: feed, as: UTF8.self).contains(/<!--(?:(?!-->)[\s\S])*?--[^>]/) {
            return "two hyphens in a comment, of which there is a warning"
        }
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
