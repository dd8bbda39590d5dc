import Foundation
import Synchronization
import TestSupport
import Testing

/// Logins on a page of the source, with the built program; a shell script is the browser.
struct BrowserLoginTests {
    private let home = TemporaryFolder()
    private var folder: String { "\(home.path)/.config/imgscript" }

    /// A source that logs in by OAuth 2 and shows its images to those who are logged in.
    private func source(
        lifetime: Int = 3_600, answer: String = "code=the-code", secret: String = "the-secret", _ more: String = ""
    ) throws -> LoopbackSource {
        let count = Mutex(0)
        let source = try LoopbackSource { request in
            let query = URLComponents(string: request.target)?.queryItems ?? []
            func value(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }
            switch request.path.prefix(while: { $0 != "?" }) {
            case "/authorize":
                return .redirect(302, to: "\(value("redirect_uri"))?\(answer)&state=\(value("state"))")
            case "/device":
                return .answer(
                    text:
                        #"{"device_code":"d","user_code":"ABCD-EFGH","verification_uri":"https://a.example/device","interval":1}"#
                )
            case "/token" where !request.text.contains("client_secret=\(secret)"):
                return .answer(401, text: #"{"error":"invalid_client"}"#)
            case "/token":
                let number = count.withLock {
                    $0 += 1
                    return $0
                }
                return .answer(
                    text:
                        #"{"access_token":"secret-token-\#(number)","refresh_token":"secret-refresh-\#(number)","expires_in":\#(lifetime)}"#
                )
            default:
                guard request.header("authorization")?.hasPrefix("Bearer secret-token-") == true else {
                    return .answer(401, text: "{}")
                }
                return .answer(text: LoopbackSource.page(1...2, total: 2))
            }
        }
        let origin = source.server.origin
        let auth = """
            auth: [
              { type: 'oauth2', token: '\(origin)/token', authorize: '\(origin)/authorize', device: '\(origin)/device',
                scope: 'read', help: 'https://loop.example/apps' }, \(more)
            ],
            """
        try source.add("loop", LoopbackSource.provider("loop", port: source.server.port, auth: auth))
        return source
    }

    /// A program that opens an address as a browser does, and follows it.
    private func browser() throws -> String {
        let path = "\(home.path)/browser"
        try "#!/bin/sh\nexec curl -sL --max-time 20 -o '\(home.path)/page.html' \"$1\"\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    private func run(
        _ arguments: [String], with source: LoopbackSource, input: String = "", _ variables: [String: String] = [:]
    ) throws -> CommandRun {
        let environment = ["HOME": home.path, "XDG_CACHE_HOME": "\(home.path)/cache"].merging(variables) { $1 }
        return try CommandRun(arguments + source.arguments, input: input, environment: environment)
    }

    private func logIn(_ source: LoopbackSource, _ options: [String] = []) throws -> CommandRun {
        try run(
            ["auth", "login", "loop", "--port", "0", "--wait", "30"] + options, with: source,
            input: "the-id\nthe-secret\n",
            ["BROWSER": try browser()])
    }

    @Test func loginLeadsToATokenThatIsSentAndNotShown() throws {
        let source = try source()
        let login = try logIn(source, ["--verbose"])
        #expect(login.status == 0, "\(login.errors)")
        #expect(login.errors.contains("logged in at loop"))
        #expect(try page.contains("The login was allowed."))
        let search = try run(["search", "-p", "loop", "x", "--verbose", "--trace"], with: source)
        #expect(search.status == 0, "\(search.errors)")
        #expect(source.server.requests.last?.header("authorization") == "Bearer secret-token-1")
        let path = "\(folder)/credentials.json"
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("secret-refresh-1"))
        let list = try run(["auth", "list"], with: source)
        #expect(list.output.contains("login") && list.output.contains("renewed"), "\(list.output)")
        for run in [login, search, list] {
            for word in ["secret-token", "secret-refresh", "the-secret", "the-code"] {
                #expect(!(run.output + run.errors).contains(word), "\(word): \(run.errors)")
            }
        }
        #expect(try run(["auth", "remove", "loop"], with: source).status == 0)
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("secret"))
    }

    private var page: String { get throws { try String(contentsOfFile: "\(home.path)/page.html", encoding: .utf8) } }

    @Test func refusedLoginSaysSoOnThePageToo() throws {
        let source = try source(answer: "error=access_denied&error_description=Anna+said+no")
        let login = try logIn(source)
        #expect(login.status == 1 && login.errors.contains("was refused: Anna said no"), "\(login.errors)")
        #expect(try page.contains("The login was refused."))
    }

    @Test func wrongSecretOfTheClientCanBeReplaced() throws {
        let source = try source(secret: "another-one")
        let login = try logIn(source)
        #expect(login.status == 1)
        #expect(login.errors.contains("imgscript auth remove loop removes them"), "\(login.errors)")
        #expect(try run(["auth", "remove", "loop"], with: source).status == 0)
        #expect(try run(["auth", "list"], with: source).output.isEmpty)
    }

    @Test func expiredTokenIsRenewedAndStored() throws {
        let source = try source(lifetime: 1)
        #expect(try logIn(source).status == 0)
        let path = "\(folder)/credentials.json"
        let before = try String(contentsOfFile: path, encoding: .utf8)
        #expect(try run(["search", "-p", "loop", "x"], with: source).status == 0)
        let after = try String(contentsOfFile: path, encoding: .utf8)
        #expect(before.contains("secret-refresh-1") && after.contains("secret-refresh-2"))
    }

    @Test func codeIsShownForAnotherDevice() throws {
        let source = try source()
        let login = try logIn(source, ["--device", "--no-browser"])
        #expect(login.status == 0, "\(login.errors)")
        #expect(login.errors.contains("https://a.example/device") && login.errors.contains("ABCD-EFGH"))
        #expect(try run(["search", "-p", "loop", "x"], with: source).status == 0)
    }

    @Test func withoutALoginTheErrorSaysHow() throws {
        let source = try source()
        let search = try run(["search", "-p", "loop", "x"], with: source)
        #expect(search.status == 5)
        #expect(search.errors.contains("error: loop: search: a login is required"), "\(search.errors)")
        #expect(search.errors.contains("hint: imgscript auth login loop"))
        let set = try run(["auth", "set", "loop"], with: source)
        #expect(set.errors.contains("takes a login, and no key"), "\(set.errors)")
        #expect(source.server.requests.isEmpty)
    }

    @Test func keyThatIsNotEnoughLeadsToTheLogin() throws {
        let source = try source("{ type: 'header', name: 'X-Key' }")
        let search = try run(["search", "-p", "loop", "x"], with: source, ["IMGSCRIPT_LOOP_KEY": "a-key-of-anna"])
        #expect(search.status == 5)
        #expect(search.errors.contains("hint: imgscript auth login loop"), "\(search.errors)")
    }

    @Test(arguments: [
        (["--wait", "1", "--no-browser"], "the login was not completed in time"),
        (["--wait", "0"], "--wait 0 is out of range"), (["--port", "99999"], "--port: invalid value \"99999\""),
    ])
    func badInputIsOneError(_ options: [String], _ message: String) throws {
        let source = try source()
        let login = try run(
            ["auth", "login", "loop", "--port", "0"] + options, with: source, input: "the-id\nthe-secret\n")
        #expect(login.status != 0 && login.errors.contains(message), "\(login.errors)")
    }

    @Test func providerWithoutALoginSaysSo() throws {
        let source = try LoopbackSource { _ in .answer(404) }
        let login = try run(["auth", "login", "loop"], with: source)
        #expect(login.errors.contains("error: loop: has no browser login"), "\(login.errors)")
    }

    // MARK: Logins of a provider's own

    @Test func sessionSendsTheSecretsInItsBodyAndKeepsItsCookies() throws {
        let source = try LoopbackSource { request in
            switch request.path.prefix(while: { $0 != "?" }) {
            case "/login":
                return request.text == "csrf=1&name=anna&password=secret-password"
                    ? .answer(headers: [("Set-Cookie", "sid=secret-session-cookie; Path=/")], text: "{}") : .answer(403)
            default:
                return request.header("cookie") == "sid=secret-session-cookie"
                    ? .answer(text: LoopbackSource.page(1...1, total: 1)) : .answer(401)
            }
        }
        let script = LoopbackSource.provider(
            "loop", port: source.server.port,
            auth: """
                auth: { type: 'session', body: { name: '{user}', password: '{password}' } },
                session: {
                  request: () => ({ url: 'http://127.0.0.1:\(source.server.port)/login', method: 'POST', form: { csrf: 1 } }),
                  parse: () => ({ values: {} }),
                },
                """)
        try source.add("loop", script)
        let search = try run(
            ["search", "-p", "loop", "x", "--verbose"], with: source,
            ["IMGSCRIPT_LOOP_USER": "anna", "IMGSCRIPT_LOOP_PASSWORD": "secret-password"])
        #expect(search.status == 0, "\(search.errors)")
        #expect(!search.errors.contains("secret-"))
        let missing = try run(["search", "-p", "loop", "x"], with: source)
        #expect(missing.errors.contains("a user name and password are required"), "\(missing.errors)")
    }
}
