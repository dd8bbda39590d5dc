import Foundation
import HTTPTransport
import HTTPTypes
import ProviderModel
import ProviderRuntime
import ProviderTesting
import TestSupport

/// A provider of a service that does not exist, with its cassettes, written into a folder of a test's own.
package struct MadeProvider {
    /// A piece of the script and what stands there instead.
    package typealias Change = (old: String, new: String)

    private let folder = TemporaryFolder()

    /// The provider, with some pieces changed; a piece that is not there is the test's mistake.
    package init(changing changes: [Change] = [], cassettes: [Cassette] = Self.cassettes) throws {
        var script = Self.script
        for change in changes {
            precondition(script.contains(change.old), "the script has no \(change.old)")
            script = script.replacingOccurrences(of: change.old, with: change.new)
        }
        try script.write(toFile: path, atomically: true, encoding: .utf8)
        for cassette in cassettes { try cassette.write(into: cassetteFolder) }
    }

    /// The script's path.
    package var path: String { folder.path + "/made.js" }
    /// Where its cassettes lie.
    package var cassetteFolder: String { folder.path + "/cassettes/made" }
    /// The file as the loader has it.
    package var file: ProviderFile { ProviderFile(id: ProviderID("made")!, folder: folder.path) }

    /// Settings that a debug build beside other tests keeps to.
    package static var settings: TestSettings {
        var settings = TestSettings()
        settings.worker = BuiltWorker.path
        settings.deadline = .seconds(10)
        settings.mutations = 40
        return settings
    }

    package static let script = """
        const { fail, parseDate } = require('imgscript');
        module.exports = {
          contract: 1, id: 'made', name: 'Made', version: '1.0.0', base: 'https://api.made.example',
          hosts: ['api.made.example'], mediaHosts: ['cdn.made.example'],
          auth: { type: 'query', name: 'key', help: 'https://made.example/keys' },
          limits: { pageSize: { min: 1, max: 50, default: 3 }, text: { min: 1, max: 200 } },
          terms: { url: 'https://made.example/terms' },
          check: (res) => {
            if (res.ok && res.json && res.json.error) fail('unsupported', String(res.json.error.message));
          },
          search: {
            request: (q) => ({ url: '/search', query: { q: q.text, page: q.page, size: q.limit } }),
            parse: (res) => ({ total: res.json.total, items: res.json.hits.map(image) }),
          },
          details: {
            request: (item) => ({ url: `/images/${encodeURIComponent(item.id)}` }),
            parse: (res) => image(res.json),
          },
        };

        function image({ id, title, width, height, file, taken }) {
          return {
            id, type: 'image', title, created: parseDate(taken),
            media: [{ role: 'original', url: file, width, height }],
          };
        }
        """

    /// An image as the service has it.
    package static func image(_ id: String, extra: String = "") -> String {
        #"{"id":"\#(id)","title":"Cup \#(id)","width":800,"height":600,"taken":"2024-05-01T10:00:00Z","#
            + #""file":"https://cdn.made.example/\#(id).jpg"\#(extra)}"#
    }

    /// The search of the cassette `search`.
    package static let coffee = RecordedCall(.search, text: "coffee", limit: 3)

    package static var cassettes: [Cassette] {
        [
            cassette(
                "search",
                [
                    entry(
                        "/search?q=coffee&page=1&size=3",
                        #"{"total":4,"hits":[\#(image("a1")),\#(image("a2")),\#(image("a3"))]}"#, of: coffee),
                    entry("/search?q=coffee&page=2&size=3", #"{"total":4,"hits":[\#(image("a4"))]}"#),
                ]),
            cassette("details", [entry("/images/a1", image("a1"), of: RecordedCall(.details, item: "a1"))]),
            cassette(
                "empty",
                [
                    entry(
                        "/search?q=zzzznothing&page=1&size=3", #"{"total":0,"hits":[]}"#,
                        of: RecordedCall(.search, text: "zzzznothing", limit: 3))
                ]),
            cassette(
                "errors",
                [
                    entry(
                        "/search?q=bad+words&page=1&size=3", #"{"error":{"message":"no such words"}}"#,
                        of: RecordedCall(.search, text: "bad words", limit: 3))
                ]),
        ]
    }

    package static func cassette(_ name: String, _ entries: [Cassette.Entry]) -> Cassette {
        Cassette(name: name, provider: ProviderID("made")!, entries: entries)
    }

    package static func entry(_ target: String, _ json: String, status: Int = 200, of call: RecordedCall? = nil)
        -> Cassette.Entry
    {
        Cassette.Entry(
            calls: call.map { [$0] } ?? [], url: try! WebURL("https://api.made.example" + target), status: status,
            headers: [.contentType: "application/json"], content: Array(json.utf8))
    }
}
