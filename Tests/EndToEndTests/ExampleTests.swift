import Foundation
import TestSupport
import Testing

/// The programs of `Examples` do what their comments say.
@Suite("Small programs over the library", .timeLimit(.minutes(1)))
struct ExampleTests {
    /// A run of an example, over the recorded answers of the providers.
    private final class Example {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        private let home = TemporaryFolder()

        init(_ name: String, _ arguments: [String]) throws {
            process.executableURL = URL(filePath: BuiltExecutable.path(of: name))
            process.arguments = arguments
            process.environment = [
                "HOME": home.path, "PATH": "/usr/bin:/bin", "IMGSCRIPT_WORKER": BuiltWorker.path,
            ]
            process.standardOutput = output
            process.standardError = errors
            try process.run()
        }

        deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

        /// The port in the first line of the log that has one.
        func port() throws -> Int {
            var log = ""
            while true {
                let data = errors.fileHandleForReading.availableData
                log += String(decoding: data, as: UTF8.self)
                if let match = log.firstMatch(of: /listening on 127\.0\.0\.1:(\d+)/) { return Int(match.1)! }
                guard !data.isEmpty else { throw NoServer(log: log) }
            }
        }
    }

    private struct NoServer: Error { let log: String }

    @Test(.enabled(if: HelperProcess.path(of: "curl") != nil))
    func serverAnswersSearchesWithCursorsAndPictures() throws {
        let server = try Example("image-server", ["--sample", "0"])
        let origin = "http://127.0.0.1:\(try server.port())"
        func get(_ path: String) throws -> [String: Any] {
            let (curl, answer) = (Process(), Pipe())
            curl.executableURL = URL(filePath: "/usr/bin/curl")
            curl.arguments = ["-s", "--noproxy", "*", "-w", "\n%{http_code} %{content_type}", origin + path]
            curl.standardOutput = answer
            try curl.run()
            let bytes = answer.fileHandleForReading.readDataToEndOfFile()
            curl.waitUntilExit()
            let lines = bytes.split(separator: UInt8(ascii: "\n"))
            let status = String(decoding: lines.last ?? Data(), as: UTF8.self)
            let json = try? JSONSerialization.jsonObject(with: bytes.dropLast(status.utf8.count + 1))
            return ["status": status, "json": json ?? [:]]
        }
        let first = try #require(try get("/search?q=coffee&in=pixabay")["json"] as? [String: Any])
        let images = try #require(first["images"] as? [[String: Any]])
        #expect(images.count == 20 && (first["failures"] as? [String: String]) == [:])
        let other = try #require(try get("/search?q=coffee&in=pixabay,nowhere")["json"] as? [String: Any])
        #expect((other["failures"] as? [String: String])?.keys.sorted() == ["nowhere"])
        #expect(try get("/search")["status"] as? String == "400 application/json; charset=utf-8")
        #expect((try get("/search?q=coffee&after=x")["status"] as? String)?.hasPrefix("400 ") == true)
        #expect((try get("/thumbnail?of=nowhere:1")["status"] as? String)?.hasPrefix("502 ") == true)
    }

    @Test func contactSheetHasPicturesAndTheirCredits() throws {
        let sheet = try Example("contact-sheet", ["coffee", "pixabay", "--sample"])
        let page = String(decoding: sheet.output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        sheet.process.waitUntilExit()
        #expect(sheet.process.terminationStatus == 0)
        let figures = page.matches(of: /<figure><img width=300 alt="" src="data:image\/png;base64,[^"]+">/)
        #expect(figures.count == 12 && page.contains(">Pixabay</a>"))
    }
}
