import Foundation
import TestSupport
import Testing

@Suite("Keys go in and never out", .timeLimit(.minutes(2)))
struct KeyTests {
    @Test func keyIsStoredUsedAndRemoved() throws {
        let source = try PictureSource(total: 1)
        let home = TemporaryFolder()
        let server = try GalleryProcess(source, isServing: true, home: home)
        let bearer = [("Authorization", "Bearer \(server.token)")]
        let client = try HTTPClient(port: server.port)
        func hasKey() throws -> Bool {
            let text = try client.send("GET", "/api/v1/providers", bearer).text
            let provider = try #require(text.range(of: #""id":"pictures""#))
            return text[provider.upperBound...].firstMatch(of: /"hasKey":(true|false)/)?.1 == "true"
        }
        #expect(try !hasKey())
        let key = "very-secret-key-4711"
        let stored = try client.send("PUT", "/api/v1/keys/pictures", bearer, body: #"{"values":{"key":"\#(key)"}}"#)
        #expect(stored.status == 204, "\(stored.text)")
        #expect(try hasKey())
        let file = "\(home.path)/.config/imgscript/credentials.json"
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains(key))
        #expect(try client.send("GET", "/api/v1/images?q=fox", bearer).status == 200)
        #expect(source.server.requests.contains { $0.target.contains(key) })
        #expect(try client.send("GET", "/api/v1/keys/pictures", bearer).status == 405)
        #expect(try client.send("DELETE", "/api/v1/keys/pictures", bearer).status == 204)
        #expect(try client.send("DELETE", "/api/v1/keys/pictures", bearer).status == 404)
        #expect(try !hasKey())
        #expect(server.stop() == 0)
        #expect(!server.logText.contains(key) && !server.logText.contains(server.token))
    }

    @Test func keyOfTheEnvironmentIsNotRemovedAndSaysSo() throws {
        let server = try GalleryProcess(
            try PictureSource(total: 1), isServing: true, environment: ["IMGSCRIPT_PICTURES_KEY": "from-outside"])
        let bearer = [("Authorization", "Bearer \(server.token)")]
        let client = try HTTPClient(port: server.port)
        #expect(try client.send("GET", "/api/v1/providers", bearer).text.contains(#""keyOrigin":"environment""#))
        let reply = try client.send("DELETE", "/api/v1/keys/pictures", bearer)
        #expect(reply.status == 409 && reply.text.contains("$IMGSCRIPT_PICTURES_KEY"), "\(reply.text)")
    }

    @Test(arguments: [
        #"{"values":{"key":""}}"#, #"{"values":{"key":"a\nb"}}"#, #"{"values":{}}"#, #"{"values":{"other":"a"}}"#,
        #"{"values":{"key":7}}"#, "[]", "nonsense", "",
    ])
    func halfKeysAreRefused(body: String) throws {
        let server = try GalleryProcess(try PictureSource(total: 1), isServing: true)
        let reply = try HTTPClient(port: server.port).send(
            "PUT", "/api/v1/keys/pictures", [("Authorization", "Bearer \(server.token)")], body: body)
        #expect(reply.status == 400)
    }
}
