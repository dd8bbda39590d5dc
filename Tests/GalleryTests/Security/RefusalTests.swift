import TestSupport
import Testing

@Suite("Requests that are not the page's own are refused", .timeLimit(.minutes(2)))
struct RefusalTests {
    private func error(_ reply: HTTPClient.Reply) -> Substring? { reply.text.firstMatch(of: /"code":"(\w+)"/)?.1 }

    @Test func linkIsExchangedForACookieOnce() throws {
        let gallery = try GalleryProcess(try PictureSource())
        let first = try HTTPClient(port: gallery.port).send("GET", "/?token=\(gallery.token)&q=red+fox")
        #expect(first.status == 303)
        #expect(first.header("Location") == "/?q=red+fox")
        let cookie = try #require(first.header("Set-Cookie"))
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains(gallery.token))
        let replayed = try HTTPClient(port: gallery.port).send("GET", "/?token=\(gallery.token)")
        #expect(replayed.status == 401 && replayed.text.contains("works once") && replayed.header("Set-Cookie") == nil)
        let session = String(try #require(cookie.split(separator: ";").first))
        let page = try HTTPClient(port: gallery.port).send("GET", "/", [("Cookie", session)])
        #expect(page.status == 200 && page.header("Content-Type") == "text/html; charset=utf-8")
    }

    @Test func pageThatIsSignedOutIsAPageAndKeepsItsFiles() throws {
        let gallery = try GalleryProcess(try PictureSource())
        let page = try HTTPClient(port: gallery.port).send("GET", "/?q=fox")
        #expect(page.status == 401 && page.header("Content-Type") == "text/html; charset=utf-8")
        #expect(page.text.contains("<code>imgscript gallery</code>"))
        #expect(try HTTPClient(port: gallery.port).send("GET", "/assets/base.css").status == 200)
        #expect(try HTTPClient(port: gallery.port).send("GET", "/page/store").status == 401)
    }

    @Test func runningGalleryGivesANewLinkAndARestartKeepsTheSession() throws {
        let (source, home) = (try PictureSource(), TemporaryFolder())
        let gallery = try GalleryProcess(source, home: home)
        let cookie = try gallery.enter()
        // Options are those of the gallery that runs.
        let again = try GalleryProcess(source, home: home, sharing: gallery)
        #expect(again.port == gallery.port && again.token != gallery.token)
        #expect(again.process.terminationStatus == 0)
        let client = try HTTPClient(port: gallery.port)
        #expect(try client.send("GET", "/?token=\(again.token)").status == 303)
        #expect(try client.send("GET", "/?token=\(again.token)").status == 401)
        #expect(gallery.stop() == 0)
        let restarted = try GalleryProcess(source, home: home, sharing: gallery)
        let value = try #require(cookie.split(separator: "=").last)
        let session = [("Cookie", "imgscript-\(restarted.port)=\(value)")]
        #expect(try HTTPClient(port: restarted.port).send("GET", "/api/v1/providers", session).status == 200)
    }

    @Test func pageKeepsItsListsInTheFolder() throws {
        let gallery = try GalleryProcess(try PictureSource())
        let cookie = [("Cookie", try gallery.enter())]
        let client = try HTTPClient(port: gallery.port)
        #expect(try client.send("GET", "/page/store", cookie).text == "{}")
        let list = #"{"list":[{"title":"fox"}]}"#
        #expect(try client.send("PUT", "/page/store/recent", cookie, body: list).status == 204)
        #expect(try client.send("GET", "/page/store", cookie).text == #"{"recent":\#(list)}"#)
        #expect(try client.send("PUT", "/page/store/other", cookie, body: list).status == 404)
        #expect(try client.send("PUT", "/page/store/saved", cookie, body: "[]").status == 400)
    }

    @Test func pagesOfAllowedOriginsMayUseTheAPI() throws {
        let server = try GalleryProcess(
            try PictureSource(), arguments: ["--allow-origin", "https://app.example"], isServing: true)
        let client = try HTTPClient(port: server.port)
        func origin(_ name: String) -> [(String, String)] { [("Origin", name), ("Sec-Fetch-Site", "cross-site")] }
        let asked = try client.send("OPTIONS", "/api/v1/providers", origin("https://app.example"))
        #expect(asked.status == 204 && asked.header("Access-Control-Allow-Origin") == "https://app.example")
        #expect(asked.header("Access-Control-Allow-Headers")?.contains("Authorization") == true)
        let bearer = [("Authorization", "Bearer \(server.token)")]
        let answer = try client.send("GET", "/api/v1/providers", bearer + origin("https://app.example"))
        #expect(answer.status == 200 && answer.header("Access-Control-Allow-Origin") == "https://app.example")
        #expect(answer.header("Vary") == "Origin")
        #expect(try client.send("GET", "/api/v1/providers", origin("https://app.example")).status == 401)
        let other = try client.send("GET", "/api/v1/providers", bearer + origin("https://evil.example"))
        #expect(other.status == 403 && other.header("Access-Control-Allow-Origin") == nil)
    }

    @Test func everyAnswerIsMarked() throws {
        let gallery = try GalleryProcess(try PictureSource())
        let cookie = try gallery.enter()
        for path in ["/", "/api/v1/health", "/api/v1/providers", "/nothing", "/api/v1/pictures/none"] {
            for headers in [[("Cookie", cookie)], []] {
                let reply = try HTTPClient(port: gallery.port).send("GET", path, headers)
                #expect(reply.header("X-Content-Type-Options") == "nosniff", "\(path)")
                let policy = try #require(reply.header("Content-Security-Policy"))
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self'") && !policy.contains("unsafe"))
                #expect(reply.header("Cross-Origin-Resource-Policy") == "same-origin")
            }
        }
    }

    @Test(arguments: [
        (headers: [("Host", "evil.example")], status: 421, code: "host"),
        (headers: [("Host", "127.0.0.1:1")], status: 421, code: "host"),
        (headers: [("Origin", "http://evil.example")], status: 403, code: "origin"),
        (headers: [("Sec-Fetch-Site", "cross-site")], status: 403, code: "origin"),
    ])
    func foreignPagesAreRefusedEvenWithTheCookie(headers: [(String, String)], status: Int, code: String) throws {
        let gallery = try GalleryProcess(try PictureSource())
        let cookie = try gallery.enter()
        for path in ["/", "/api/v1/providers", "/api/v1/images?q=fox", "/api/v1/health"] {
            let reply = try HTTPClient(port: gallery.port).send("GET", path, headers + [("Cookie", cookie)])
            #expect(reply.status == status, "\(path)")
            #expect(path == "/" || error(reply) == code[...], "\(path)")
        }
    }

    @Test func headIsAnsweredAsGetWithoutABody() throws {
        let gallery = try GalleryProcess(try PictureSource())
        let cookie = try gallery.enter()
        for path in ["/", "/assets/gallery.js", "/api/v1/health", "/api/v1/images/events?q=fox"] {
            let get = try HTTPClient(port: gallery.port).send("GET", path, [("Cookie", cookie)])
            let client = try HTTPClient(port: gallery.port)
            let head = try client.send("HEAD", path, [("Cookie", cookie)])
            #expect(head.status == 200, "\(path)")
            // A body would be taken for the next answer.
            #expect(try client.send("GET", "/api/v1/health", [("Cookie", cookie)]).status == 200, "\(path)")
            #expect(head.header("Content-Type") == get.header("Content-Type"), "\(path)")
        }
    }

    @Test func nothingIsAnsweredWithoutToken() throws {
        let server = try GalleryProcess(try PictureSource(), isServing: true)
        for (method, path) in [
            ("GET", "/api/v1/providers"), ("GET", "/api/v1/images?q=fox"), ("GET", "/api/v1/openapi.json"),
            ("GET", "/api/v1/metrics"), ("PUT", "/api/v1/keys/pictures"), ("POST", "/api/v1/downloads"), ("GET", "/"),
        ] {
            let reply = try HTTPClient(port: server.port).send(method, path)
            #expect(reply.status == 401 && reply.header("WWW-Authenticate") == "Bearer", "\(path)")
        }
        let client = try HTTPClient(port: server.port)
        #expect(try client.send("GET", "/api/v1/health").status == 200)
        let bearer = [("Authorization", "Bearer \(server.token)")]
        #expect(try client.send("GET", "/api/v1/openapi.json", bearer).status == 200)
        #expect(try client.send("GET", "/?token=\(server.token)", bearer).status == 404, "no page for programs")
    }

    @Test func refusalsAreCountedAndLoggedWithoutWhatWasSent() throws {
        let server = try GalleryProcess(try PictureSource(), isServing: true)
        let wrong = [("Authorization", "Bearer not-the-token-at-all")]
        #expect(try HTTPClient(port: server.port).send("GET", "/api/v1/images?q=fox", wrong).status == 401)
        #expect(try HTTPClient(port: server.port).send("GET", "/", [("Host", "evil.example")]).status == 421)
        let bearer = [("Authorization", "Bearer \(server.token)")]
        let metrics = try HTTPClient(port: server.port).send("GET", "/api/v1/metrics", bearer).text
        for (route, status) in [("/api/v1/images", 401), ("none", 421)] {
            let labels = #"{route="\#(route)",method="GET",status="\#(status)"}"#
            #expect(metrics.contains("imgscript_http_requests_total\(labels) 1\n"))
        }
        #expect(server.stop() == 0)
        #expect(server.logText.contains(#""status":401"#), "numbers are numbers in the log")
        for text in ["not-the-token", "fox", server.token, "evil"] { #expect(!server.logText.contains(text)) }
    }

    @Test(arguments: [
        "/assets/../Package.swift", "/assets/..%2f..%2fetc%2fpasswd", "/assets/%2e%2e/index.html", "/../../etc/passwd",
        "/assets/.", "/assets/..", "/assets/nothing.js", "/assets//etc/passwd", "/assets/types.d.ts",
    ])
    func pathsOutsideThePageAreNotFound(path: String) throws {
        let gallery = try GalleryProcess(try PictureSource())
        let reply = try HTTPClient(port: gallery.port).send("GET", path, [("Cookie", try gallery.enter())])
        #expect(reply.status == 404 && !reply.text.contains("root:"))
    }

    @Test func methodsThatAnAddressDoesNotHaveAreSaid() throws {
        let gallery = try GalleryProcess(try PictureSource())
        let reply = try HTTPClient(port: gallery.port).send(
            "DELETE", "/api/v1/providers", [("Cookie", try gallery.enter())])
        #expect(reply.status == 405 && reply.header("Allow") == "GET, HEAD")
    }
}
