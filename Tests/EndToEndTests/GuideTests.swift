import Foundation
import Synchronization
import TestSupport
import Testing

/// The guide to writing a provider is true, step by step.
struct GuideTests {
    private let guide: String

    init() throws { guide = try Documentation.text(of: "docs/writing-a-provider.md") }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
    func providerIsDraftedAsShown() throws {
        let folder = TemporaryFolder()
        let answer = try #require(Documentation.blocks(of: "json", in: guide).first)
        try answer.write(toFile: folder.path + "/answer.json", atomically: true, encoding: .utf8)
        for page in Documentation.blocks(of: "html", in: guide) {
            let name = try #require(page.firstMatch(of: /^<!-- ([a-z]+\.html) -->\n/))
            try String(page[name.range.upperBound...])
                .write(toFile: "\(folder.path)/\(name.1)", atomically: true, encoding: .utf8)
        }
        let program = try InstalledProgram()
        let transcripts = Documentation.transcripts(in: guide)
        #expect(!transcripts.isEmpty)
        for (command, output) in transcripts {
            let run = try CommandRun(onTerminalOf: 100, command, in: folder.path, of: program.path)
            #expect(run.output.replacing("\r\n", with: "\n") == output, "\(command)")
        }
        for name in ["lakes.js", "lakes.test.js"] {
            let shown = Documentation.blocks(of: "js", in: guide).first { $0.hasPrefix("// providers/\(name)\n") }
            let written = try String(contentsOfFile: "\(folder.path)/providers/\(name)", encoding: .utf8)
            #expect(shown == "// providers/\(name)\n" + written)
        }
        let drafts = ["lakes", "walls", "prints"].flatMap { name in
            [["providers", "check", "providers/\(name).js"], ["test", "--mutations", "0", "providers/\(name).js"]]
        }
        for arguments in drafts {
            let run = try CommandRun(arguments, in: folder.path)
            #expect(run.status == 0, "\(run.output)\(run.errors)")
        }
        let found = try CommandRun(["search", "-p", "lakes", "--sample", "-f", "urls", "swan"], in: folder.path)
        #expect(found.output == "https://cdn.lakes.example/11.jpg\nhttps://cdn.lakes.example/12.jpg\n")
        let walls = try CommandRun(["search", "-p", "walls", "--sample", "-f", "urls", "fox"], in: folder.path)
        #expect(walls.output == "https://walls.example/t/71.jpg\nhttps://walls.example/t/72.jpg\n", "\(walls.errors)")
        try packIsBuilt(in: folder)
    }

    /// The form's token goes back with the name and the password, and the cookies of the session with the search.
    @Test func formIsFilledInWithItsToken() throws {
        let server = try LoopbackServer { request in
            let cookie = request.header("Cookie") ?? ""
            switch (request.method, request.path) {
            case ("GET", "/login"):
                return .answer(
                    headers: [("Content-Type", "text/html"), ("Set-Cookie", "sid=new; Path=/")],
                    text: "<form method=post><input type=hidden name=csrf_token value=t0k3n></form>")
            case ("POST", "/login"):
                let form = String(decoding: request.body, as: UTF8.self).split(separator: "&").sorted()
                let isRight = form == ["csrf_token=t0k3n", "login=anna", "pass=s3same"] && cookie == "sid=new"
                return .answer(isRight ? 200 : 403, headers: [("Set-Cookie", "sid=known; Path=/")])
            default:
                let page = "<main><ul><li data-id=1><a href=/p/1><img src=/t/1.jpg alt=Fox></a></ul></main>"
                return .answer(
                    headers: [("Content-Type", "text/html")], text: cookie == "sid=known" ? page : "<form></form>")
            }
        }
        let folder = TemporaryFolder()
        let script = try #require(
            Documentation.blocks(of: "js", in: guide).first { $0.hasPrefix("// providers/members.js") })
        try script.replacing("'https://members.example'", with: "'\(server.origin)'")
            .replacing("['members.example']", with: "['\(server.origin)']")
            .write(toFile: "\(folder.path)/members.js", atomically: true, encoding: .utf8)
        let there = ["--providers-folder", folder.path, "--allow-host", "127.0.0.1:\(server.port)"]
        let home = ["HOME": folder.path]
        let kept = try CommandRun(
            ["auth", "set", "members", "--providers-folder", folder.path], input: "anna\ns3same\n", environment: home)
        #expect(kept.status == 0 && kept.errors.contains("sign up at https://members.example/join"), "\(kept.errors)")
        let run = try CommandRun(
            ["search", "-p", "members", "-n", "1", "-f", "urls", "fox"] + there, environment: home)
        #expect(run.output == "\(server.origin)/t/1.jpg\n", "\(run.errors)")
    }

    private func packIsBuilt(in folder: TemporaryFolder) throws {
        let steps = try #require(Documentation.blocks(of: "sh", in: guide).last)
        for step in steps.split(separator: "\n") {
            let words = step.prefix { $0 != "#" }.split(separator: " ").map(String.init)
            if words.first == "imgscript" {
                let run = try CommandRun(Array(words.dropFirst()), in: folder.path)
                #expect(run.status == 0, "\(step)\n\(run.errors)")
            } else {
                #expect(words.first == "cp" && words.last?.hasPrefix("lakes/providers/") == true)
                let copy = Process()
                copy.executableURL = URL(filePath: "/bin/cp")
                copy.arguments = Array(words.dropFirst())
                copy.currentDirectoryURL = URL(filePath: folder.path)
                try copy.run()
                copy.waitUntilExit()
                #expect(copy.terminationStatus == 0)
            }
        }
        #expect(FileManager.default.fileExists(atPath: folder.path + "/lakes-0.1.0.tgz"))
    }

    @Test func sessionIsBegunWithTheKeyAndItsTokenIsSent() throws {
        let providers = try DocumentedProviders()
        let seen = Mutex<[String]>([])
        let server = try LoopbackServer { request in
            let key = request.header("X-Api-Key") ?? "", token = request.header("Authorization") ?? ""
            seen.withLock { $0.append("\(request.method) \(request.path) \(key) \(token)") }
            let isLogin = request.path == "/api/login"
            return .answer(
                headers: [("Content-Type", "application/json")],
                text: isLogin ? #"{"token":"t1","expires_in":60}"# : #"[{"id":"b1","path":"/files/b1.jpg"}]"#)
        }
        let home = TemporaryFolder()
        let there = [
            "--instance", "http://127.0.0.1:\(server.port)", "--allow-host", "127.0.0.1:\(server.port)",
            "--providers-folder", providers.folder.path,
        ]
        let kept = try CommandRun(["auth", "set", "shelf"] + there, input: "k3y\n", environment: ["HOME": home.path])
        #expect(kept.status == 0, "\(kept.errors)")
        let run = try CommandRun(
            ["search", "-p", "shelf", "-n", "1", "-f", "urls", "box"] + there, environment: ["HOME": home.path])
        #expect(run.output == "http://127.0.0.1:\(server.port)/files/b1.jpg\n", "\(run.errors)")
        #expect(seen.withLock { $0 }.prefix(2) == ["POST /api/login k3y ", "GET /api/photos k3y Bearer t1"])
    }
}
