import Foundation
import TestSupport

/// A source on this machine and the provider for it, in a folder of its own.
final class LoopbackSource {
    let folder = TemporaryFolder()
    let server: LoopbackServer

    /// A source that answers by a closure; `provider.js` of the given name asks it.
    init(_ name: String = "loop", _ reply: @escaping @Sendable (LoopbackRequest) -> LoopbackReply) throws {
        server = try LoopbackServer(reply)
        try add(name, Self.provider(name, port: server.port))
    }

    /// Arguments that let a command use the source.
    var arguments: [String] { ["--providers-folder", folder.path, "--allow-host", "127.0.0.1:\(server.port)"] }

    /// Puts another provider beside the first.
    func add(_ name: String, _ script: String) throws {
        try script.write(toFile: "\(folder.path)/\(name).js", atomically: true, encoding: .utf8)
    }

    /// A page of items in the shape the provider reads.
    static func page(_ ids: ClosedRange<Int>, total: Int) -> String {
        let items = ids.map { #"{"id": \#($0), "title": "Item \#($0)"}"# }
        return #"{"total": \#(total), "items": [\#(items.joined(separator: ","))]}"#
    }

    static func provider(_ name: String, port: UInt16, auth: String = "") -> String {
        """
        module.exports = {
          contract: 1, id: '\(name)', name: 'Loop', version: '1.0.0',
          hosts: ['http://127.0.0.1'], mediaHosts: ['images.example'], \(auth)
          limits: { pageSize: { max: 5, default: 5 } },
          search: {
            request: (q) => ({ url: 'http://127.0.0.1:\(port)/search', query: { q: q.text, page: q.page } }),
            parse: (res) => ({ total: res.json.total, items: res.json.items.map((item) => ({
              id: String(item.id), type: 'image', title: item.title,
              media: [{ role: 'original', url: `https://images.example/${item.id}.jpg` }],
            })) }),
          },
        };
        """
    }
}
