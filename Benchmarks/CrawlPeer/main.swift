// The crawl that a Swift program does without imgscript: URLSession, Codable, sixteen pages in flight.
//
// Built by crawl-benchmark.py with `swiftc -O`; on its own so that nothing of imgscript links FoundationNetworking.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Answer: Decodable {
    struct Hit: Decodable {
        let id: Int
        let pageURL: String
        let tags: String
        let user: String
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let user_id: Int
        let previewURL: String
        let webformatURL: String
        let webformatWidth: Int
        let webformatHeight: Int
        let largeImageURL: String
    }

    let totalHits: Int
    let hits: [Hit]
}

struct Image: Encodable {
    struct Author: Encodable {
        let name: String
        let id: Int
    }

    struct Media: Encodable {
        let role: String
        let url: String
        var width: Int?
        var height: Int?
    }

    let id: String
    let page: String
    let tags: [String]
    let author: Author
    let media: [Media]

    init(_ hit: Answer.Hit) {
        id = String(hit.id)
        page = hit.pageURL
        tags = hit.tags.components(separatedBy: ", ")
        author = Author(name: hit.user, id: hit.user_id)
        media = [
            Media(role: "large", url: hit.largeImageURL),
            Media(role: "regular", url: hit.webformatURL, width: hit.webformatWidth, height: hit.webformatHeight),
            Media(role: "thumbnail", url: hit.previewURL),
        ]
    }
}

let base = CommandLine.arguments[1]
let pages = Int(CommandLine.arguments[2])!
let size = Int(CommandLine.arguments[3])!
let inFlight = Int(CommandLine.arguments[4])!

let configuration = URLSessionConfiguration.ephemeral
configuration.httpMaximumConnectionsPerHost = inFlight
let session = URLSession(configuration: configuration)

@Sendable func lines(of page: Int) async throws -> Data {
    let url = URL(string: "\(base)?q=coffee&page=\(page)&per_page=\(size)")!
    let (body, _) = try await session.data(from: url)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    var lines = Data()
    for hit in try JSONDecoder().decode(Answer.self, from: body).hits {
        lines += try encoder.encode(Image(hit))
        lines.append(0x0a)
    }
    return lines
}

try await withThrowingTaskGroup(of: (Int, Data).self) { group in
    var next = 1
    var ready: [Int: Data] = [:]
    var turn = 1
    func begin() {
        guard next <= pages else { return }
        let page = next
        next += 1
        group.addTask { (page, try await lines(of: page)) }
    }
    for _ in 0..<inFlight { begin() }
    while let (page, lines) = try await group.next() {
        ready[page] = lines
        begin()
        while let lines = ready.removeValue(forKey: turn) {
            FileHandle.standardOutput.write(lines)
            turn += 1
        }
    }
}
