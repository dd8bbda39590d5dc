import Foundation
import LocalDatabase
import TestSupport
import Testing

/// The cookies of a login, with the built program.
struct CookieLoginTests {
    private let home = TemporaryFolder()
    private let secret = "31d4d96e407aad42c0ffee"
    private var folder: String { "\(home.path)/.config/imgscript" }

    private func source(
        auth: String = "auth: { type: 'cookies', needs: ['sid'], help: 'https://loop.example/login' },",
        setting line: String? = nil
    ) throws -> LoopbackSource {
        let source = try LoopbackSource { _ in
            .answer(
                headers: [("Cache-Control", "max-age=600")] + (line.map { [("Set-Cookie", $0)] } ?? []),
                text: LoopbackSource.page(1...1, total: 1))
        }
        try source.add("loop", LoopbackSource.provider("loop", port: source.server.port, auth: auth))
        return source
    }

    private func cookies(sid end: Int = 1_893_456_000) throws -> String {
        let path = "\(home.path)/cookies.txt"
        let lines = [
            "127.0.0.1\tFALSE\t/\tFALSE\t\(end)\tsid\t\(secret)", "127.0.0.1\tFALSE\t/elsewhere\tFALSE\t0\tdeep\t1",
            ".bank.example\tTRUE\t/\tTRUE\t0\tpin\tbanksecretbanksecret",
        ]
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func run(_ arguments: [String], with source: LoopbackSource) throws -> CommandRun {
        let environment = ["HOME": home.path, "XDG_CACHE_HOME": "\(home.path)/cache"]
        let isAuth = arguments.first == "auth"
        return try CommandRun(
            arguments + (isAuth ? ["--providers-folder", source.folder.path] : source.arguments),
            environment: environment)
    }

    private func search(_ source: LoopbackSource, _ options: [String] = []) throws -> CommandRun {
        try run(["search", "-p", "loop", "x"] + options, with: source)
    }

    @Test func cookiesOfAFileAreSentAndNothingShowsThem() throws {
        let source = try source(setting: "fresh=fresh0123456789abcdef; Path=/")
        for _ in 0..<2 {
            let run = try search(source, ["--cookies", try cookies(), "--verbose", "--trace"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(!(run.output + run.errors).contains(secret))
        }
        // The second run is answered from the cache: the requester is the same.
        #expect(source.server.requests.map { $0.header("cookie") } == ["sid=\(secret)"])
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(home.path)/cache").compactMap {
            FileManager.default.contents(atPath: "\(home.path)/cache/\($0)")
        }
        #expect(!files.isEmpty)
        for word in [secret, "fresh0123456789abcdef"] {
            #expect(files.allSatisfy { $0.firstRange(of: Data(word.utf8)) == nil })
        }
    }

    @Test func anotherLoginIsNotAnsweredFromTheCacheOfThis() throws {
        let source = try source()
        #expect(try search(source, ["--cookies", try cookies()]).status == 0)
        let path = try cookies()
        try String(contentsOfFile: path, encoding: .utf8).replacing(secret, with: "another")
            .write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try search(source, ["--cookies", path]).status == 0)
        #expect(source.server.requests.map { $0.header("cookie") } == ["sid=\(secret)", "sid=another"])
    }

    @Test func storedCookiesAreThoseOfTheProviderAndListedWithTheirEnd() throws {
        let source = try source()
        let set = try run(["auth", "set", "loop", "--cookies", try cookies()], with: source)
        #expect(set.status == 0 && set.errors.contains("2 cookies stored"), "\(set.errors)")
        #expect(set.errors.contains("valid until 2030-01-01"))
        let stored = try String(contentsOfFile: "\(folder)/credentials.json", encoding: .utf8)
        #expect(stored.contains(secret) && !stored.contains("banksecret"))
        let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/credentials.json")[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let list = try run(["auth", "list"], with: source)
        #expect(list.output.contains("loop") && list.output.contains("2030-01-01") && !list.output.contains(secret))
        #expect(try search(source).status == 0)
        #expect(source.server.requests.map { $0.header("cookie") } == ["sid=\(secret)"])
    }

    @Test(arguments: [true, false])
    func cookiesThatAreSetAreStoredWhereAskedFor(_ isAsked: Bool) throws {
        let source = try source(setting: "sid=renewed; Path=/; Max-Age=86400")
        _ = try run(["auth", "set", "loop", "--cookies", try cookies()], with: source)
        let options = ["--refresh"] + (isAsked ? ["--update-cookies"] : [])
        for _ in 0..<2 { #expect(try search(source, options).status == 0) }
        #expect(
            source.server.requests.map { $0.header("cookie") }
                == ["sid=\(secret)", isAsked ? "sid=renewed" : "sid=\(secret)"])
    }

    @Test func firefoxIsReadForOneRun() throws {
        let source = try source()
        let profile = "\(home.path)/.mozilla/firefox/a.default"
        try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: true)
        let sql = """
            CREATE TABLE moz_cookies (id INTEGER PRIMARY KEY, originAttributes TEXT DEFAULT '', name TEXT, value TEXT,
            host TEXT, path TEXT, expiry INTEGER, creationTime INTEGER, isSecure INTEGER, isHttpOnly INTEGER,
            sameSite INTEGER);
            INSERT INTO moz_cookies (name, value, host, path, expiry, isSecure) VALUES
            ('sid', '\(secret)', '127.0.0.1', '/', 1893456000, 0);
            """
        try DatabaseQueue(path: "\(profile)/cookies.sqlite").write { try $0.execute(sql: sql) }
        let run = try search(source, ["--cookies-from-browser", "firefox:a.default"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(source.server.requests.map { $0.header("cookie") } == ["sid=\(secret)"])
    }

    @Test func brokenLineOfAnotherSiteIsAWarning() throws {
        let source = try source()
        let path = "\(home.path)/broken.txt"
        let text =
            "# Netscape HTTP Cookie File\n.elsewhere.test oops\n127.0.0.1\tfalse\t/\tfalse\t0\tsid\t\(secret)\t9\r\n"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let run = try search(source, ["--cookies", path])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("\(path):2: found 1 field (expected 7, with tabs between them): left out"))
        #expect(source.server.requests.map { $0.header("cookie") } == ["sid=\(secret)"])
    }

    @Test func linesBesideTheCookiesAreSentToo() throws {
        let source = try source(
            auth: """
                auth: { type: 'cookies', needs: ['sid'], headers: { 'User-Agent': 'loop - {user}', 'X-Site': 'x' } },
                """)
        let missing = try search(source, ["--cookies", try cookies()])
        #expect(missing.errors.contains("error: loop: the cookies alone are not enough: user is missing"))
        let run = try CommandRun(
            ["search", "-p", "loop", "x", "--cookies", try cookies()] + source.arguments,
            environment: ["HOME": home.path, "IMGSCRIPT_LOOP_USER": "anna"])
        #expect(run.status == 0, "\(run.errors)")
        let request = try #require(source.server.requests.first)
        #expect(request.header("user-agent") == "loop - anna" && request.header("x-site") == "x")
        #expect(request.header("cookie") == "sid=\(secret)")
    }

    @Test func filesOfTheSourcesOwnHostsGetTheCookies() throws {
        let other = try LoopbackServer { _ in .answer(body: FoxSource.image(2)) }
        let source = try LoopbackSource { request in
            switch request.path {
            case "/1.jpg": .answer(headers: [("Set-Cookie", "fresh=1; Path=/")], body: FoxSource.image(1))
            case "/3.jpg": .redirect(to: "http://localhost:\(other.port)/3.jpg")
            default: .answer(404)
            }
        }
        let origin = source.server.origin
        let files = ["\(origin)/1.jpg", "http://localhost:\(other.port)/2.jpg", "\(origin)/3.jpg"]
        let script = LoopbackSource.provider(
            "loop", port: source.server.port, auth: "auth: { type: 'cookies', needs: ['sid'] },"
        ).replacing("['images.example']", with: "['http://127.0.0.1', 'http://localhost']")
        try source.add("loop", script)
        let items = files.indices.map { index in
            #"{"provider": "loop", "id": "\#(index + 1)", "media": [{"role": "original", "url": "\#(files[index])"}]}"#
        }
        let list = "\(home.path)/list.jsonl"
        try items.joined(separator: "\n").write(toFile: list, atomically: true, encoding: .utf8)
        let run = try run(
            [
                "download", "-d", "\(home.path)/files", "--input", list, "--cookies", try cookies(), "--jobs", "1",
                "--allow-host", "localhost:\(other.port)",
            ], with: source)
        #expect(run.status == 0, "\(run.errors)")
        let sent = source.server.requests.map { $0.header("cookie") }
        #expect(sent == ["sid=\(secret)", "sid=\(secret); fresh=1"])
        #expect(other.requests.map(\.path).sorted() == ["/2.jpg", "/3.jpg"])
        #expect(other.requests.allSatisfy { $0.header("cookie") == nil })
    }

    // MARK: What cannot be used

    @Test func missingLoginSaysWhatIsNeeded() throws {
        let run = try search(try source())
        #expect(run.status != 0)
        #expect(
            run.errors.contains("error: loop: search: the cookies of a login are required (needed: sid)"),
            "\(run.errors)")
        #expect(run.errors.contains("hint: imgscript auth set loop --cookies-from-browser firefox stores"))
    }

    @Test func expiredLoginSaysSince() throws {
        let run = try search(try source(), ["--cookies", try cookies(sid: 1_600_000_000)])
        #expect(run.errors.contains("the cookie sid expired on 2020-09-13"), "\(run.errors)")
        #expect(run.errors.contains("hint: log in with your browser"))
    }

    @Test(arguments: [
        (["--cookies", "/nowhere"], "could not read the cookies of /nowhere: No such file or directory"),
        (["--cookies-from-browser", "lynx"], "unknown browser \"lynx\" (expected firefox, librewolf, "),
        (["--cookies-from-browser", "firefox"], "found no profile of firefox in "),
        (["--cookies", "/dev/null"], "/dev/null: found no cookie of http://127.0.0.1 (needed: sid)"),
        (["--cookies", "a", "--cookies-from-browser", "firefox"], "cannot be combined"),
    ])
    func badInputIsOneErrorAndNoRequest(_ options: [String], _ message: String) throws {
        let source = try source()
        let run = try search(source, options)
        #expect(run.status != 0 && run.errors.contains(message), "\(run.errors)")
        #expect(source.server.requests.isEmpty)
    }

    @Test func providerWithoutCookiesRefusesThem() throws {
        let source = try source(auth: "")
        let run = try search(source, ["--cookies", try cookies()])
        #expect(run.errors.contains("error: the cookies cannot be used: loop takes none"), "\(run.errors)")
        let set = try self.run(["auth", "set", "loop", "--cookies", try cookies()], with: source)
        #expect(set.status != 0 && set.errors.contains("loop: takes no cookies"), "\(set.errors)")
        let typed = try self.run(["auth", "set", "loop"], with: try self.source())
        #expect(typed.errors.contains("takes the cookies of a login, and no key"), "\(typed.errors)")
    }
}
