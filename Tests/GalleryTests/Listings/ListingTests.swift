import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Listings are read in parts, as one answer or as events", .timeLimit(.minutes(2)))
struct ListingTests {
    /// What is tested of an answer.
    struct Part: Decodable {
        struct Image: Decodable {
            struct Picture: Decodable { let url: String }
            struct Attribution: Decodable { let text, html, markdown: String }
            let id: String
            let ref: String
            let pictures: [String: Picture]
            let attribution: Attribution
            let color: String
            let moreByAuthor: String
        }
        struct Failure: Decodable {
            let provider: String
            let code: String
            let retry: String?
        }
        let images: [Image]
        let next: String?
        let failures: [Failure]
    }

    private func part(_ server: GalleryProcess, _ query: String) throws -> Part {
        let reply = try HTTPClient(port: server.port).send(
            "GET", "/api/v1/images?\(query)", [("Authorization", "Bearer \(server.token)")])
        #expect(reply.status == 200, "\(reply.text)")
        return try JSONDecoder().decode(Part.self, from: Data(reply.body))
    }

    @Test func partsHaveEveryImageOnce() throws {
        let server = try GalleryProcess(try PictureSource(total: 23), isServing: true)
        var ids: [String] = []
        var cursor: String?
        repeat {
            // Seven are no multiple of the pages' five.
            let part = try part(server, "q=fox&limit=7" + (cursor.map { "&cursor=\($0)" } ?? ""))
            ids += part.images.map(\.id)
            cursor = part.next
            #expect(part.failures.isEmpty)
        } while cursor != nil
        #expect(ids == (1...23).map(String.init))
    }

    @Test func imageHasWhatAPageShows() throws {
        let server = try GalleryProcess(try PictureSource(total: 3), isServing: true)
        let image = try #require(try part(server, "q=fox&limit=1").images.first)
        #expect(image.ref == "pictures:1" && image.color == "#aa5500")
        #expect(image.pictures.values.allSatisfy { $0.url.hasPrefix("/api/v1/pictures/") })
        #expect(image.attribution.markdown.contains("[Ann](<"))
        #expect(image.attribution.html.contains(">Ann</a>"))
        #expect(image.moreByAuthor == "pictures:user:7")
        let more = try part(server, "collection=\(image.moreByAuthor)&limit=2")
        #expect(more.images.map(\.id) == ["1", "2"])
    }

    @Test func eventsAreTheSameAsTheAnswer() throws {
        let server = try GalleryProcess(try PictureSource(total: 8), isServing: true)
        let client = try HTTPClient(port: server.port)
        let reply = try client.send(
            "GET", "/api/v1/images/events?q=fox&limit=6", [("Authorization", "Bearer \(server.token)")])
        #expect(reply.header("Content-Type") == "text/event-stream")
        let names = reply.text.split(separator: "\n").filter { $0.hasPrefix("event: ") }.map { $0.dropFirst(7) }
        #expect(names == ["start"] + Array(repeating: "image", count: 6) + ["provider", "end"])
        let next = try #require(reply.text.firstMatch(of: /"next":"([^"]+)"/)?.1)
        #expect(try part(server, "q=fox&limit=6&cursor=\(next)").images.map(\.id) == ["7", "8"])
        // The connection goes on.
        #expect(try client.send("GET", "/api/v1/health").status == 200)
    }

    @Test func providerThatFailsCanBeAskedAgainWhereItFailed() throws {
        let isBroken = Mutex(true)
        let source = try PictureSource(total: 20) { request in
            request.target.contains("page=2") && isBroken.withLock(\.self) ? .answer(500, text: "no") : nil
        }
        let server = try GalleryProcess(source, isServing: true)
        let first = try part(server, "q=fox&limit=8")
        #expect(first.images.map(\.id) == (1...5).map(String.init) && first.next == nil)
        let retry = try #require(first.failures.first?.retry)
        isBroken.withLock { $0 = false }
        #expect(try part(server, "q=fox&limit=8&cursor=\(retry)").images.map(\.id) == (6...13).map(String.init))
    }

    @Test func unknownProviderIsNotFoundAndNamed() throws {
        struct Problem: Decodable {
            let type, title, detail, code: String
            let status: Int
            let providers: [String]
        }
        let server = try GalleryProcess(try PictureSource(total: 3), isServing: true)
        for path in ["images", "images/events"] {
            let reply = try HTTPClient(port: server.port).send(
                "GET", "/api/v1/\(path)?q=fox&provider=pictures&provider=nosuch",
                [("Authorization", "Bearer \(server.token)")])
            #expect(reply.status == 404 && reply.header("Content-Type") == "application/problem+json")
            let problem = try JSONDecoder().decode(Problem.self, from: Data(reply.body))
            #expect(problem.type == "about:blank" && problem.title == "Not Found" && problem.status == 404)
            #expect(problem.code == "unknownProvider" && problem.providers == ["nosuch"])
            #expect(problem.detail.contains(#""nosuch""#))
        }
    }

    @Test func cursorsOfSingleProvidersAreTakenTogether() throws {
        let server = try GalleryProcess(try PictureSource(total: 8), isServing: true)
        let text = try HTTPClient(port: server.port).send(
            "GET", "/api/v1/images/events?q=fox&limit=6", [("Authorization", "Bearer \(server.token)")]
        ).text
        let summary = try #require(text.split(separator: "\n").first { $0.contains(#""count":6"#) })
        let cursor = try #require(summary.firstMatch(of: /"next":"([^"]+)"/)?.1)
        let part = try part(server, "q=fox&limit=6&cursor=\(cursor)&cursor=\(cursor)")
        #expect(part.images.map(\.id) == ["7", "8"])
        let other = try HTTPClient(port: server.port).send(
            "GET", "/api/v1/images?q=wolf&cursor=\(cursor)", [("Authorization", "Bearer \(server.token)")])
        #expect(other.status == 400 && other.text.contains("of another listing"))
    }

    @Test(arguments: ["89.5,179.999", "-1,-123.5"])
    func pointMayHaveThreeDigitsOfLongitude(point: String) throws {
        let server = try GalleryProcess(try PictureSource(total: 3), isServing: true)
        _ = try part(server, "q=fox&near=\(point)")
    }

    @Test(arguments: [
        "", "q=a&q=b", "q=a&feed=1", "q=a&limit=0", "q=a&limit=501", "q=a&limit=x", "q=a&cursor=nonsense",
        "q=a&near=91,0",
        "q=a&unknown=1", "q=a%00", "q=a&param.=1", "q=a&min-width=-1",
    ])
    func requestsThatMeanNothingAreRefused(query: String) throws {
        let server = try GalleryProcess(try PictureSource(total: 3), isServing: true)
        let reply = try HTTPClient(port: server.port).send(
            "GET", "/api/v1/images?\(query)", [("Authorization", "Bearer \(server.token)")])
        #expect(reply.status == 400 && reply.text.contains(#""code":"invalid""#))
    }
}
