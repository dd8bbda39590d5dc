import Foundation
import TestSupport

/// A source of pictures on this machine, and the provider that asks it.
final class PictureSource {
    let server: LoopbackServer
    private let name: String

    var port: UInt16 { server.port }

    /// A source of `total` pictures, five on a page; `reply` answers what it wants to, before the source does.
    init(
        _ name: String = "pictures", total: Int = 1_000,
        reply: @escaping @Sendable (LoopbackRequest) -> LoopbackReply? = { _ in nil }
    ) throws {
        self.name = name
        server = try LoopbackServer { request in reply(request) ?? Self.answer(request, total: total) }
    }

    /// Puts the provider into a folder.
    func write(to folder: String) throws {
        try provider.write(toFile: "\(folder)/\(name).js", atomically: true, encoding: .utf8)
    }

    private static func answer(_ request: LoopbackRequest, total: Int) -> LoopbackReply {
        let number = Int(request.path.split(separator: "/").last?.prefix { $0.isNumber } ?? "") ?? 0
        switch request.path.split(separator: "/").first {
        case "search":
            let page = Int(request.target.split(separator: "page=").last?.prefix { $0.isNumber } ?? "") ?? 1
            let first = page * 5 - 4
            let ids = first <= total ? Array(first...min(first + 4, total)) : []
            let items = ids.map { #"{"id": \#($0), "title": "Picture \#($0)"}"# }
            return .answer(text: #"{"total": \#(total), "items": [\#(items.joined(separator: ","))]}"#)
        case "image": return .answer(headers: [("Cache-Control", "max-age=3600")], body: jpeg(number))
        case "details": return .answer(text: #"{"id": \#(number), "title": "Picture \#(number)"}"#)
        case "svg": return .answer(text: "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><script/></svg>")
        case "html": return .answer(headers: [("Content-Type", "image/png")], text: "<!doctype html><title>no</title>")
        case "huge": return .answer(body: jpeg(number, width: 65_000, height: 65_000))
        default: return .answer(404, text: "no")
        }
    }

    /// A picture of its own for each number.
    static func jpeg(_ number: Int, width: Int = 40, height: Int = 30) -> [UInt8] {
        let size = [height >> 8, height & 255, width >> 8, width & 255].map { UInt8($0) }
        var bytes: [UInt8] = [0xff, 0xd8, 0xff, 0xc0, 0, 17, 8] + size + [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
        bytes += [0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 0x3f, 0]
        return bytes + (0..<3_000).map { UInt8(($0 &* 7 &+ number) % 251) } + [0xff, 0xd9]
    }

    private var provider: String {
        """
        const at = 'http://127.0.0.1:\(port)';
        const image = ({ id, title }) => ({
          id: String(id), type: 'image', title, page: `${at}/page/${id}`, tags: ['fox'], colors: ['#aa5500'],
          author: { name: 'Ann', url: `${at}/user/7` }, license: { id: 'cc-by-4.0' },
          media: [{ role: 'original', url: `${at}/image/${id}.jpg`, width: 40, height: 30 },
            { role: 'small', url: `${at}/svg/${id}` }, { role: 'thumbnail', url: `${at}/html/${id}` }],
        });
        module.exports = {
          contract: 1, id: '\(name)', name: 'Pictures', version: '1.0.0',
          hosts: ['http://127.0.0.1'], mediaHosts: ['http://127.0.0.1'],
          auth: { type: 'query', name: 'key', optional: true, help: 'https://keys.example/new' },
          limits: { pageSize: { max: 5, default: 5 } },
          match: [{ pattern: `${at}/user/{user}`, item: { id: 'user:{user}', type: 'collection' } }],
          search: {
            params: { order: { type: 'choice', values: ['new', 'old'], default: 'new', help: 'What comes first.' } },
            request: (q) => ({ url: `${at}/search`, query: { q: q.text, page: q.page } }),
            parse: (res) => ({ total: res.json.total, items: res.json.items.map(image) }),
          },
          collection: {
            request: (item, q) => ({ url: `${at}/search`, query: { user: item.id, page: q.page } }),
            parse: (res) => ({ total: res.json.total, items: res.json.items.map(image) }),
          },
          details: { request: (item) => ({ url: `${at}/details/${item.id}` }), parse: (res) => image(res.json) },
        };
        """
    }
}
