import Foundation
import TestSupport
import Testing

/// `imgscript providers new` as users run it.
struct NewProviderTests {
    private static let answer = #"""
        {"total":1,"results":[{"id":"a1","title":"Swan","key":"k","url":"https://images.example/a1.jpg","width":10,"height":20}],"echo":"s3cretkey"}
        """#

    private static let new = [
        "providers", "new", "made", "--from", "answer.json", "--curl", "https://api.made.example/search?q=swan",
    ]

    @Test func requestIsSentWithItsKeyWhichIsInNoFile() throws {
        let folder = TemporaryFolder()
        let server = try LoopbackServer { request in
            request.header("X-Api-Key") == "s3cretkey" && request.target == "/find?q=swan&limit=5"
                ? .answer(headers: [("Content-Type", "application/json")], text: Self.answer) : .answer(401, text: "no")
        }
        let origin = "127.0.0.1:\(server.port)"
        let curl =
            "curl 'http://\(origin)/find?q=swan&limit=5' \\\n  -H 'X-Api-Key: s3cretkey' -H 'User-Agent: me' --compressed"
        let run = try CommandRun(["providers", "new", "made", "--curl", curl, "--allow-host", origin], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("imgscript auth set made"))
        let files = ["made.js", "made.test.js", "cassettes/made/search.json"]
        for file in files {
            let text = try String(contentsOfFile: "\(folder.path)/providers/\(file)", encoding: .utf8)
            #expect(!text.contains("s3cretkey"), "\(file)")
        }
        let script = try String(contentsOfFile: "\(folder.path)/providers/made.js", encoding: .utf8)
        #expect(script.contains("homepage: 'http://\(origin)/'"), "\(script)")
        for arguments in [["providers", "check", "providers"], ["test", "providers/made.js"]] {
            let run = try CommandRun(arguments, in: folder.path)
            #expect(run.status == 0, "\(run.output)\(run.errors)")
        }
    }

    @Test func testReportsEveryKindOfFaultOnAPage() throws {
        let folder = TemporaryFolder()
        try Self.answer.write(toFile: folder.path + "/answer.json", atomically: true, encoding: .utf8)
        #expect(try CommandRun(Self.new, in: folder.path).status == 0)
        let file = "\(folder.path)/providers/made.js"
        let script = try String(contentsOfFile: file, encoding: .utf8)
        let faulty = script.replacing("title: item.title,", with: "title: 7, page: 'x', created: 'soon',")
        #expect(faulty != script)
        try faulty.write(toFile: file, atomically: true, encoding: .utf8)
        let run = try CommandRun(["test", "providers/made.js"], in: folder.path)
        #expect(run.status == 1)
        for fault in [
            "items[0].title: expected a string", "items[0].page: expected an absolute URL", "items[0].created: ",
        ] {
            #expect(run.output.contains(fault), "\(run.output)")
        }
    }

    @Test(arguments: [
        ([], 1, "nothing in the response says which request it answers"),
        (
            ["--curl", "https://api.made.example/find?words_here=swan&sort=new"], 64,
            "found \"words_here\" in the request"
        ),
        (["--curl", "https://api.made.example/find?words_here=swan", "--text", "swan"], 0, ""),
        (["--curl", "https://api.made.example/find?words_here=swan", "--text", ""], 0, ""),
        (["--curl", "https://api.made.example/find?sort=new&page=1"], 0, ""),
    ])
    func hostsAndTextsAreNotInvented(options: [String], status: Int32, sentence: String) throws {
        let folder = TemporaryFolder()
        try Self.answer.write(toFile: folder.path + "/answer.json", atomically: true, encoding: .utf8)
        let run = try CommandRun(["providers", "new", "made", "--from", "answer.json"] + options, in: folder.path)
        #expect(run.status == status && (sentence.isEmpty || run.errors.contains(sentence)), "\(run.errors)")
        #expect(FileManager.default.fileExists(atPath: folder.path + "/providers/made.js") == (status == 0))
    }

    /// A file may be no longer than nothing, as on a full disk.
    @Test(arguments: ["", "--from answer.json --curl 'https://api.made.example/search?q=swan'"])
    func whatCannotBeWrittenLeavesNothingThatIsInTheWay(options: String) throws {
        let folder = TemporaryFolder()
        try Self.answer.write(toFile: folder.path + "/answer.json", atomically: true, encoding: .utf8)
        let run = try CommandRun(
            shell: "cd '\(folder.path)' && ulimit -f 0 && imgscript providers new made \(options) 2>&1")
        #expect(run.status == 1 && run.output.contains("could not write"), "\(run.output)")
        let again = try CommandRun(shell: "cd '\(folder.path)' && imgscript providers new made \(options)")
        #expect(again.status == 0, "\(again.errors)")
    }

    @Test func totalMayBeMoreThanCanBeCounted() throws {
        let folder = TemporaryFolder()
        try Self.answer.replacing(#""total":1,"#, with: #""total":1e30,"#)
            .write(toFile: folder.path + "/answer.json", atomically: true, encoding: .utf8)
        let run = try CommandRun(Self.new, in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(/total +total/), "\(run.output)")
    }

    @Test func whatIsThereIsLeftAlone() throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/providers", withIntermediateDirectories: true)
        try "mine".write(toFile: folder.path + "/providers/made.test.js", atomically: true, encoding: .utf8)
        try Self.answer.write(toFile: folder.path + "/answer.json", atomically: true, encoding: .utf8)
        let run = try CommandRun(Self.new, in: folder.path)
        #expect(run.status == 1 && run.errors.contains("providers/made.test.js already exists"), "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/providers") == ["made.test.js"])
    }

    @Test(arguments: [
        (
            ["providers", "new", "Made"],
            "is not a valid provider name (expected 1 to 64 of a–z, 0–9 and -, not beginning with -"
        ),
        (
            ["providers", "new", "made", "--from", "ftp://a.example/x"],
            "--from: unsupported scheme ftp (expected https or"
        ),
        (
            ["providers", "new", "made", "--from", "https://anna:sesame@a.example/x"],
            "--from: invalid URL: \"https://***@a.example/x\""
        ),
        (["providers", "new", "made", "--from", "none.json"], "--from: could not read none.json"),
        (["providers", "new", "made", "--curl", "curl -H"], "has no value"),
        (
            ["providers", "new", "made", "--from", "https://a.example/", "--curl", "curl https://b.example/"],
            "--from and --curl are both requests"
        ),
        (["providers", "check", "nothing.txt"], "no such file or folder"), (["providers", "check"], "path"),
        (["providers", "new", "made", "--curl", "curl"], "no URL in the curl command"),
    ])
    func usageErrorsAreOneLine(arguments: [String], sentence: String) throws {
        let folder = TemporaryFolder()
        let run = try CommandRun(arguments, in: folder.path)
        #expect(run.status == 64)
        #expect(run.errors.contains(sentence), "\(run.errors)")
    }

    @Test func findingsArePrintedAsTextAndAsJSON() throws {
        let folder = TemporaryFolder()
        try """
        module.exports = {
          contract: 1, id: 'made', name: 'Made', version: '1.0.0',
          hosts: ['a.example'], mediaHosts: ['a.example'],
          limit: { pageSize: { max: 5 } },
        };
        """.write(toFile: folder.path + "/made.js", atomically: true, encoding: .utf8)
        let run = try CommandRun(["providers", "check", "made.js"], in: folder.path)
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                "made.js:4:3: error: limit: expected a field of a provider, found \"limit\"; did you mean limits?"),
            "\(run.output)")
        #expect(run.output.contains("fix: write limits"))
        let json = try CommandRun(["providers", "check", "--format", "json", "made.js"], in: folder.path)
        let parsed = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
        let finding = (parsed?.first?["findings"] as? [[String: Any]])?.first
        #expect(
            finding?["line"] as? Int == 4 && finding?["column"] as? Int == 3
                && finding?["severity"] as? String == "error")
    }

    @Test(arguments: ["itunes", "nasa", "openverse", "pixabay", "unsplash"])
    func shippedProviderHasNoErrors(name: String) throws {
        let run = try CommandRun(["providers", "check", "--strict", "providers/\(name).js"])
        #expect(run.status == 0, "\(run.output)")
    }
}
