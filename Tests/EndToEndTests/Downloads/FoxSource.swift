import Foundation
import TestSupport

/// A source of images on this machine, the provider for it, and a folder for what is downloaded.
final class FoxSource {
    let server: LoopbackServer
    let target = TemporaryFolder()
    private let providers = TemporaryFolder()
    let home = TemporaryFolder()

    /// A source of so many images; `answer` is asked first, and nil leaves a request to what the source does.
    ///
    /// With `listsPreviews` only the details of an image have more than its thumbnail.
    init(
        total: Int = 6, expires: String? = nil, listsPreviews: Bool = false,
        answer: @escaping @Sendable (LoopbackRequest) -> LoopbackReply? = { _ in nil }
    ) throws {
        server = try LoopbackServer { answer($0) ?? Self.answer($0, total: total) }
        FolderListing.write(
            Self.provider(port: server.port, expires: expires, listsPreviews: listsPreviews),
            to: "\(providers.path)/foxes.js")
    }

    /// Runs a command with this source at hand.
    func run(
        _ command: String, _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) throws -> CommandRun {
        try CommandRun(
            [command] + arguments + common, input: input, environment: ["HOME": home.path].merging(environment) { $1 })
    }

    /// Runs a command in the same home, without the options of ``common``.
    func runWithout(_ arguments: [String]) throws -> CommandRun {
        try CommandRun(arguments, environment: ["HOME": home.path])
    }

    /// Downloads into the target folder.
    func download(_ arguments: [String], input: String = "") throws -> CommandRun {
        try run("download", ["-d", target.path] + arguments, input: input)
    }

    /// Options that let a command use the source.
    var common: [String] { ["--providers-folder", providers.path, "--allow-host", "127.0.0.1:\(server.port)"] }

    /// The target's files, by path, without what is the program's own.
    var files: [String] {
        FolderListing.allFiles(under: target.path).map { String($0.dropFirst(target.path.count + 1)) }
            .filter { !$0.hasPrefix(".imgscript") && !$0.hasPrefix("credits.") }.sorted()
    }

    /// What a file of the target holds.
    func bytes(of path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(target.path)/\(path)").map(Array.init)
    }

    /// The paths of all requests that begin so.
    func requests(for prefix: String) -> [String] { server.requests.map(\.path).filter { $0.hasPrefix(prefix) } }

    /// An image of its own for each number.
    static func image(_ number: Int, payload: Int = 3_000) -> [UInt8] {
        var bytes: [UInt8] = [0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 30, 0, 40, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
        bytes += [0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 0x3f, 0]
        return bytes + (0..<payload).map { UInt8(($0 &* 7 &+ number) % 251) } + [0xff, 0xd9]
    }

    private static func answer(_ request: LoopbackRequest, total: Int) -> LoopbackReply {
        let number = Int(request.path.split(separator: "/").last?.prefix { $0.isNumber } ?? "") ?? 0
        if request.path == "/search" {
            let page = Int(request.target.split(separator: "page=").last?.prefix { $0.isNumber } ?? "") ?? 1
            let first = page * 5 - 4
            guard first <= total else { return .answer(text: #"{"total": \#(total), "items": []}"#) }
            return .answer(text: LoopbackSource.page(first...min(first + 4, total), total: total))
        }
        if request.path.hasPrefix("/img/") { return .answer(body: image(number)) }
        if request.path.hasPrefix("/details/") {
            return .answer(text: #"{"id": \#(number), "title": "Item \#(number)"}"#)
        }
        if request.path.hasPrefix("/report/") { return .answer(text: "{}") }
        return .answer(404, text: "no")
    }

    private static func provider(port: UInt16, expires: String?, listsPreviews: Bool) -> String {
        """
        const at = 'http://127.0.0.1:\(port)';
        const image = ({ id, title }) => ({ id: String(id), type: 'image', title, media: [
          { role: 'large', url: `${at}/img/${id}.jpg`, format: 'jpeg'\(expires.map { ", expires: '\($0)'" } ?? "") },
          { role: 'thumbnail', url: `${at}/img/${id}0.jpg`, width: 40 }] });
        const listed = (hit) => ({ ...image(hit), media: image(hit).media.slice(\(listsPreviews ? 1 : 0)) });
        module.exports = {
          contract: 1, id: 'foxes', name: 'Foxes', version: '1.0.0',
          hosts: ['http://127.0.0.1'], mediaHosts: ['http://127.0.0.1'],
          terms: { url: 'https://foxes.example/terms', hotlink: false },
          limits: { pageSize: { max: 5, default: 5 } },
          search: { request: (q) => ({ url: `${at}/search`, query: { q: q.text, page: q.page } }),
                    parse: (res) => ({ total: res.json.total, items: res.json.items.map(listed) }) },
          collection: { request: (item, q) => ({ url: `${at}/search`, query: { of: item.id, page: q.page } }),
                        parse: (res) => ({ total: res.json.total, items: res.json.items.map(listed) }) },
          details: { media: \(listsPreviews), request: (item) => ({ url: `${at}/details/${item.id}` }), parse: (res) => image(res.json) },
          download: { request: (media, item) => ({ url: `${at}/report/${item.id}` }), parse: () => undefined },
          match: [{ pattern: 'https://foxes.example/photos/{id}', item: { id: '{id}' } },
                  { pattern: 'den:{id}', item: { id: 'den:{id}', type: 'collection' } }],
        };
        """
    }
}
