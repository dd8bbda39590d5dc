import Foundation
import TestSupport
import Testing

@Suite("Pictures are images that came out of a listing", .timeLimit(.minutes(2)))
struct PictureTests {
    private func addresses(_ server: GalleryProcess, _ query: String = "q=fox&limit=1") throws -> [String] {
        let reply = try HTTPClient(port: server.port).send(
            "GET", "/api/v1/images?\(query)", [("Authorization", "Bearer \(server.token)")])
        return reply.text.matches(of: /"url":"(\/api[^"]+)"/).map { String($0.1) }
    }

    private func picture(
        _ server: GalleryProcess, _ path: String, _ headers: [(String, String)] = []
    ) throws -> HTTPClient.Reply {
        try HTTPClient(port: server.port).send(
            "GET", path, [("Authorization", "Bearer \(server.token)")] + headers)
    }

    @Test func pictureIsServedAndKept() throws {
        let source = try PictureSource(total: 1)
        let server = try GalleryProcess(source, isServing: true)
        let full = try #require(try addresses(server).last)
        let first = try picture(server, full)
        #expect(first.status == 200 && first.body == PictureSource.jpeg(1))
        #expect(first.header("Content-Type") == "image/jpeg" && first.header("Content-Disposition") == "inline")
        #expect(first.header("Cache-Control")?.contains("private") == true)
        let tag = try #require(first.header("ETag"))
        #expect(try picture(server, full, [("If-None-Match", tag)]).status == 304)
        _ = try picture(server, full)
        #expect(source.server.requests.count { $0.path.hasPrefix("/image/") } == 1)
        let saved = try picture(server, full + "?download=a%22%0D%0Ab")
        #expect(saved.header("Content-Disposition") == "attachment; filename*=UTF-8''a%22%0D%0Ab.jpg")
    }

    @Test func addressesThatNobodyGaveAreNotFound() throws {
        let server = try GalleryProcess(try PictureSource(total: 1), isServing: true)
        let full = try #require(try addresses(server).last)
        let other = try #require(full.split(separator: "/").last).split(separator: ".")
        let forged = Data(#"["pictures","http://127.0.0.1/secret"]"#.utf8).base64EncodedString()
        for name in ["none", "", "\(other[0]).AAAA", "\(other[0])", "\(forged).\(other[1])", "..%2f..%2fetc%2fpasswd"] {
            #expect(try picture(server, "/api/v1/pictures/\(name)").status == 404, "\(name)")
        }
    }

    @Test(arguments: [
        (path: "/svg/1", status: 415), (path: "/html/1", status: 415), (path: "/huge/1", status: 413),
        (path: "/nothing/1", status: 404),
    ])
    func whatIsNotShownIsRefused(path: String, status: Int) throws {
        let source = try PictureSource(total: 1) { request in
            guard request.path == "/image/1.jpg" else { return nil }
            return .redirect(to: "http://127.0.0.1:\((request.header("Host") ?? ":").split(separator: ":")[1])\(path)")
        }
        let server = try GalleryProcess(source, isServing: true)
        let full = try #require(try addresses(server).last)
        let reply = try picture(server, full)
        #expect(reply.status == status, "\(reply.text)")
        #expect(reply.header("Content-Type") == "application/problem+json")
    }

    @Test func whatWasSeenComesBackOffline() throws {
        let source = try PictureSource(total: 5)
        let home = TemporaryFolder()
        let online = try GalleryProcess(source, isServing: true, home: home)
        let seen = try #require(try addresses(online).last)
        #expect(try picture(online, seen).status == 200)
        #expect(online.stop() == 0)
        let offline = try GalleryProcess(source, arguments: ["--offline"], isServing: true, home: home)
        let again = try #require(try addresses(offline).last)
        let before = source.server.requests.count
        #expect(try picture(offline, again).body == PictureSource.jpeg(1))
        #expect(source.server.requests.count == before)
    }
}
