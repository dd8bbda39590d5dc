import CJavaScriptCore
import Foundation
import ProviderModel

@testable import ScriptEngine

/// Reads feeds as a provider does.
struct FeedReader {
    private let engine = TestEngine()
    private let read: JSObjectRef

    init() throws {
        let theme = try String(
            contentsOf: URL(filePath: #filePath).appending(path: "../../../../providers/feed-theme.js").standardized,
            encoding: .utf8)
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
        text.replace(/<\/(?:\w+:)?(?:item|entry)>/) { picture + $0.0 }
        let response = ProviderResponse(status: 200, url: .unset, body: Array(text.utf8))
        let number = environment.responses.add(response)
        do {
            environment.beginStep()
            let value = try environment.runtime.call(
                environment.prelude.response,
                [.number(Double(number)), .number(200), .text("http://127.0.0.1:8097/feed"), .text("[]")])
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
