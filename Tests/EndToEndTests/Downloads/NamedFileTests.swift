import Foundation
import TestSupport
import Testing

/// Files that are named by their URLs: the headers that they are asked for with, and the times that they get.
struct NamedFileTests {
    private let folder = TemporaryFolder()
    private let home = TemporaryFolder()

    private func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            if request.path == "/away.jpg" {
                let other = "http://localhost:" + (request.header("Host") ?? "").split(separator: ":")[1]
                return .answer(302, headers: [("Location", "\(other)/there.jpg")])
            }
            return .answer(
                headers: [("Last-Modified", "Tue, 14 Nov 2023 22:13:20 GMT")], body: FoxSource.image(1))
        }
    }

    private func download(_ server: LoopbackServer, _ arguments: [String]) throws -> CommandRun {
        try CommandRun(
            [
                "download", "-d", folder.path, "--allow-host", "127.0.0.1:\(server.port)", "--allow-host",
                "localhost:\(server.port)",
            ] + arguments, environment: ["HOME": home.path])
    }

    private func time(of name: String) throws -> Double? {
        let files = FolderListing.allFiles(under: folder.path)
        let path = try #require(files.first { $0.hasSuffix("/\(name).jpg") }, "\(files)")
        return (try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)?
            .timeIntervalSince1970
    }

    @Test func headersAreSentToTheServerThatIsNamedAndNoOther() throws {
        let server = try server()
        let options = ["--header", "Referer: https://example.org/", "--header", "User-Agent:fox/1", "--verbose"]
        let secret = ["--header", "Authorization: Bearer s3cret"]
        let run = try download(server, ["\(server.origin)/a.jpg", "\(server.origin)/away.jpg"] + options + secret)
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.errors.contains("s3cret") && !run.output.contains("s3cret"))
        for request in server.requests where request.path != "/there.jpg" {
            #expect(request.header("Referer") == "https://example.org/")
            #expect(request.header("User-Agent") == "fox/1")
            #expect(request.header("Authorization") == "Bearer s3cret")
        }
        let there = try #require(server.requests.first { $0.path == "/there.jpg" })
        #expect(there.header("Authorization") == nil && there.header("User-Agent") != "fox/1")
    }

    @Test func secretOfAHeaderInTheSettingsIsNotListed() throws {
        let environment = ["HOME": home.path]
        _ = try CommandRun(["config", "set", "header", "Authorization: Bearer s3cret"], environment: environment)
        let list = try CommandRun(["config", "list"], environment: environment)
        #expect(list.output.contains("Authorization: ***") && !list.output.contains("s3cret"), "\(list.output)")
        let server = try server()
        #expect(try download(server, ["\(server.origin)/a.jpg"]).status == 0)
        #expect(server.requests.first?.header("Authorization") == "Bearer s3cret")
    }

    @Test func fileHasTheTimeThatIsAskedFor() throws {
        let server = try server()
        #expect(try download(server, ["\(server.origin)/a.jpg", "--mtime", "server"]).status == 0)
        #expect(try time(of: "a") == 1_700_000_000)
        #expect(try download(server, ["\(server.origin)/b.jpg"]).status == 0)
        #expect(try time(of: "b") ?? 0 > 1_700_000_000)
        let line = #"{"provider":"x","url":"\#(server.origin)/c.jpg"}"#
        _ = try download(server, ["--input", list(line), "--mtime", "created"])
        // Without a date of its own it has the server's.
        #expect(try time(of: "c") == 1_700_000_000)
    }

    private func list(_ text: String) -> String {
        FolderListing.write(text + "\n", to: "\(home.path)/list.jsonl")
        return "\(home.path)/list.jsonl"
    }
}
