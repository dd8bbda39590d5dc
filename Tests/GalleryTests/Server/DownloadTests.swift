import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Downloads are resources", .timeLimit(.minutes(2)))
struct DownloadTests {
    private func items(_ server: GalleryProcess, _ count: Int) throws -> String {
        let reply = try HTTPClient(port: server.port).send(
            "GET", "/api/v1/images?q=fox&limit=\(count)", [("Authorization", "Bearer \(server.token)")])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any])
        let data = try JSONSerialization.data(withJSONObject: ["items": object["images"]])
        return String(decoding: data, as: UTF8.self)
    }

    private func start(_ server: GalleryProcess, _ body: String) throws -> HTTPClient.Reply {
        try HTTPClient(port: server.port).send(
            "POST", "/api/v1/downloads", [("Authorization", "Bearer \(server.token)")], body: body)
    }

    private func events(_ server: GalleryProcess, _ reply: HTTPClient.Reply) throws -> String {
        let location = try #require(reply.header("Location"))
        return try HTTPClient(port: server.port).send(
            "GET", "\(location)/events", [("Authorization", "Bearer \(server.token)")]
        ).text
    }

    private func count(_ name: String, in events: String) -> Int {
        events.split(separator: "\n").count { $0 == "event: \(name)" }
    }

    @Test func twentyFilesAreOnDiskWithTheirCredits() throws {
        let server = try GalleryProcess(try PictureSource(), isServing: true)
        let body = try items(server, 20)
        let started = try start(server, body)
        #expect(started.status == 201, "\(started.text)")
        let seen = try events(server, started)
        #expect(count("file", in: seen) == 20 && count("end", in: seen) == 1)
        #expect(seen.contains(#""state":"finished""#))
        let folder = "\(server.downloads.path)/pictures"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(files.count == 20 && files.contains("7-picture-7.jpg"), "\(files)")
        let seventh = try Data(contentsOf: URL(filePath: "\(folder)/7-picture-7.jpg"))
        #expect(Array(seventh) == PictureSource.jpeg(7))
        let credits = try String(contentsOfFile: "\(server.downloads.path)/credits.md", encoding: .utf8)
        #expect(credits.contains("Ann"))
        // The same archive: nothing is fetched twice.
        let again = try events(server, try start(server, body))
        #expect(again.contains(#""skipped":20"#) && again.contains(#""finished":0"#))
    }

    @Test func downloadsAreListedAndOneThatFailedIsBegunAgain() throws {
        let isBroken = Mutex(true)
        let source = try PictureSource { request in
            request.path.hasPrefix("/image/") && isBroken.withLock(\.self) ? .answer(404, text: "no") : nil
        }
        let server = try GalleryProcess(source, isServing: true)
        let bearer = [("Authorization", "Bearer \(server.token)")]
        let client = try HTTPClient(port: server.port)
        #expect(try client.send("GET", "/api/v1/downloads", bearer).text == #"{"downloads":[]}"#)
        let started = try start(server, try items(server, 2))
        #expect(try events(server, started).contains(#""failed":2"#))
        let location = try #require(started.header("Location"))
        isBroken.withLock { $0 = false }
        let again = try client.send("POST", "\(location)/again", bearer)
        #expect(again.status == 201, "\(again.text)")
        #expect(try events(server, again).contains(#""finished":2"#))
        let list = try client.send("GET", "/api/v1/downloads", bearer).text
        #expect(list.components(separatedBy: #""id":"#).count == 3)
        // All of its images are there.
        let whole = try #require(again.header("Location"))
        #expect(try client.send("POST", "\(whole)/again", bearer).status == 409)
    }

    @Test func cancelledDownloadEnds() throws {
        let gate = Gate()
        let source = try PictureSource { request in
            request.path.hasPrefix("/image/")
                ? LoopbackReply([.wait(gate), .close]) : nil
        }
        defer { gate.open() }
        let server = try GalleryProcess(source, isServing: true)
        let started = try start(server, try items(server, 10))
        let location = try #require(started.header("Location"))
        let bearer = [("Authorization", "Bearer \(server.token)")]
        #expect(try HTTPClient(port: server.port).send("DELETE", location, bearer).status == 204)
        #expect(try events(server, started).contains(#""state":"cancelled""#))
        let state = try HTTPClient(port: server.port).send("GET", location, bearer)
        #expect(state.text.contains(#""cancelled":true"#))
    }

    @Test(arguments: [
        "../x", "/etc", "a/../../b", "a//b", ".", "a/./b", #"a\u0000b"#, "",
    ])
    func foldersOutsideTheRootAreRefused(folder: String) throws {
        let server = try GalleryProcess(try PictureSource(total: 1), isServing: true)
        let reply = try start(server, #"{"items":["pictures:1"],"folder":"\#(folder)"}"#)
        #expect(reply.status == 400, "\(reply.text)")
    }

    @Test(arguments: [
        #"{"items":[]}"#, #"{}"#, #"{"items":["nonsense"]}"#, #"{"items":[7]}"#, #"{"items":[{"id":"1"}]}"#,
    ])
    func listsThatAreNoneAreRefused(body: String) throws {
        let server = try GalleryProcess(try PictureSource(total: 1), isServing: true)
        #expect(try start(server, body).status == 400)
    }

    @Test func nothingIsDownloadedOffline() throws {
        let server = try GalleryProcess(try PictureSource(total: 1), arguments: ["--offline"], isServing: true)
        let reply = try start(server, #"{"items":["pictures:1"]}"#)
        #expect(reply.status == 409 && reply.text.contains("unavailable"))
    }
}
