import Foundation
import HTTPTransport
import LocalDatabase
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import BrowserCookies

/// Cookies read from profiles as browsers write them.
struct BrowserCookiesTests {
    private let home = TemporaryFolder()
    private let scope = RequestScope(provider: ProviderID("p")!, hosts: [HostPattern("www.example.com")!])

    // MARK: Firefox

    private func firefox(_ folder: String = ".mozilla/firefox", profile: String = "abc.default") throws -> DatabaseQueue
    {
        try profiles("[Profile0]\nName=default\nIsRelative=1\nPath=abc.default\nDefault=1\n", in: folder)
        let queue = try database("\(folder)/\(profile)/cookies.sqlite")
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE moz_cookies (id INTEGER PRIMARY KEY, originAttributes TEXT NOT NULL DEFAULT '', name TEXT,
                        value TEXT, host TEXT, path TEXT, expiry INTEGER, lastAccessed INTEGER, creationTime INTEGER,
                        isSecure INTEGER, isHttpOnly INTEGER, inBrowserElement INTEGER DEFAULT 0,
                        sameSite INTEGER DEFAULT 0);
                    INSERT INTO moz_cookies (name, value, host, path, expiry, creationTime, isSecure, isHttpOnly, sameSite)
                        VALUES ('sid', 'one', '.example.com', '/', 1893456000, 1, 1, 1, 1),
                            ('ms', 'two', 'www.example.com', '/x', 1893456000000, 2, 0, 0, 256),
                            ('other', 'no', 'other.test', '/', 1893456000, 3, 0, 0, 0);
                    INSERT INTO moz_cookies (originAttributes, name, value, host, path, expiry, creationTime, isSecure,
                        isHttpOnly) VALUES ('^userContextId=1', 'sid', 'work', '.example.com', '/', 1893456000, 4, 0, 0);
                    """)
        }
        return queue
    }

    private let firefoxCookies = [
        Cookie(
            name: "sid", value: "one", domain: "example.com", isHostOnly: false, isSecure: true, isHTTPOnly: true,
            expires: 1_893_456_000, sameSite: .lax)!,
        Cookie(
            name: "ms", value: "two", domain: "www.example.com", isHostOnly: true, path: "/x", expires: 1_893_456_000)!,
    ]

    @Test func firefoxIsReadWhileItRuns() throws {
        let queue = try firefox()
        // As Firefox holds it: in its log, and locked against others.
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA locking_mode = EXCLUSIVE")
            try database.execute(sql: "UPDATE moz_cookies SET value = 'new' WHERE value = 'one'")
        }
        var expected = firefoxCookies
        expected[0].value = "new"
        #expect(try source(.firefox).cookies(of: scope).cookies == expected)
        try queue.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).sorted() == [".mozilla"])
    }

    @Test func profileIsFoundByNameByPathAndInOtherPackages() throws {
        _ = try firefox("snap/firefox/common/.mozilla/firefox")
        #expect(try source(.firefox).cookies(of: scope).cookies == firefoxCookies)
        #expect(try source(.firefox, "abc.default").cookies(of: scope).cookies == firefoxCookies)
        let path = "\(home.path)/snap/firefox/common/.mozilla/firefox/abc.default"
        #expect(try source(.firefox, path).cookies(of: scope).cookies == firefoxCookies)
    }

    /// The list of the browser's profiles, then the profile whose cookies are read.
    @Test(
        arguments: [
            ("[Profile0]\nName=Work\nIsRelative=1\nPath=abc.default\n", "Work"),
            ("[Profile0]\r\nName=Work\r\nPath=abc.default\r\n", "work"),
            ("[Profile0]\nName=abc.default\nPath=other\n\n[Profile1]\nName=x\nPath=abc.default\n", "abc.default"),
            ("[Profile0]\nName=Work\nIsRelative=0\nPath=HOME/.mozilla/firefox/abc.default\n", "Work"),
            ("[Profile0]\nName=away\nIsRelative=0\nPath=HOME/.mozilla/firefox/abc.default\nDefault=1\n", nil),
            ("[Install1]\nDefault=abc.default\nLocked=1\n\n[Profile0]\nName=o\nPath=other\nDefault=1\n", nil),
            ("\u{feff}nonsense", "abc.default"), ("", nil),
        ] as [(String, String?)])
    func profileIsFoundByTheNameThatTheBrowserShows(_ list: String, _ name: String?) throws {
        _ = try firefox()
        try profiles(list.replacing("HOME", with: home.path), in: ".mozilla/firefox")
        #expect(try source(.firefox, name).cookies(of: scope).cookies == firefoxCookies)
    }

    @Test(arguments: [
        (Browser.firefox, ".config/mozilla/firefox"), (.firefox, "elsewhere/mozilla/firefox"),
        (.firefox, ".var/app/org.mozilla.firefox/.mozilla/firefox"),
        (.firefox, ".var/app/org.mozilla.firefox/config/mozilla/firefox"),
        (.firefox, "snap/firefox/common/.config/mozilla/firefox"), (.librewolf, ".librewolf"),
        (.librewolf, "elsewhere/librewolf/librewolf"),
        (.librewolf, ".var/app/io.gitlab.librewolf-community/.librewolf"),
        (.zen, ".zen"), (.floorp, ".floorp"),
    ])
    func placesOfFirefoxAndItsKin(_ browser: Browser, _ folder: String) throws {
        _ = try firefox(folder)
        let found = try source(browser, in: ["XDG_CONFIG_HOME": "\(home.path)/elsewhere"]).cookies(of: scope)
        #expect(found.cookies == firefoxCookies)
    }

    @Test func ofSeveralPlacesTheOneWrittenLastIsRead() throws {
        _ = try firefox()
        let newer = try firefox(".config/mozilla/firefox")
        try newer.write { try $0.execute(sql: "UPDATE moz_cookies SET value = 'new' WHERE value = 'one'") }
        let old = "\(home.path)/.mozilla/firefox/abc.default/cookies.sqlite"
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: old)
        #expect(try source(.firefox).cookies(of: scope).cookies.first?.value == "new")
    }

    @Test func endIsInTheUnitOfTheSchema() throws {
        let queue = try firefox()
        try queue.write { database in
            try database.execute(sql: "PRAGMA user_version = 16; UPDATE moz_cookies SET expiry = 99999999999")
        }
        #expect(try source(.firefox).cookies(of: scope).cookies.map(\.expires) == [99_999_999, 99_999_999])
    }

    @Test(
        arguments: [
            (nil, ["one"]), ("none", ["one"]), ("Work", ["work"]), ("work", ["work"]), ("2", ["mine"]),
            ("Ours", ["mine"]),
            ("all", ["one", "work", "mine"]),
        ] as [(String?, [String])])
    func containersAreOtherLogins(_ container: String?, _ values: [String]) throws {
        let queue = try firefox()
        try queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO moz_cookies (originAttributes, name, value, host, path, expiry, creationTime) VALUES
                        ('^userContextId=2', 'sid', 'mine', '.example.com', '/', 1893456000, 5),
                        ('^partitionKey=%28https%2Cother.test%29', 'sid', 'partitioned', '.example.com', '/', 1893456000, 6),
                        ('^privateBrowsingId=1', 'sid', 'private', '.example.com', '/', 1893456000, 7);
                    """)
        }
        let containers = """
            {"version": 5, "identities": [{"userContextId": 1, "public": true, "l10nId": "user-context-work"},
             {"userContextId": 2, "public": true, "name": "Ours"}, {"userContextId": 3, "public": false, "name": ""}]}
            """
        let folder = "\(home.path)/.mozilla/firefox/abc.default"
        try containers.write(toFile: "\(folder)/containers.json", atomically: true, encoding: .utf8)
        let found = try source(.firefox, container: container).cookies(of: scope)
        #expect(found.cookies.filter { $0.name == "sid" }.map(\.value) == values)
        let error = throwing { _ = try source(.firefox, container: "Fun") }
        #expect(error.message.hasSuffix("unknown container \"Fun\" (expected Work, Ours)"))
        #expect(
            FirefoxContainers(
                json: Array(#"{"identities": [{"userContextId": 4, "l10nID": "userContextBanking.label"}]}"#.utf8)
            ).names == ["Banking"])
    }

    @Test func partitionedCookieOfTheSiteItselfIsRead() throws {
        let queue = try firefox()
        try queue.write { database in
            try database.execute(
                sql:
                    "UPDATE moz_cookies SET originAttributes = '^partitionKey=%28https%2Cexample.com%29' WHERE value = 'one'"
            )
        }
        #expect(try source(.firefox).cookies(of: scope).cookies == firefoxCookies)
    }

    @Test func missingProfileNamesThoseThatAreThere() throws {
        #expect(throwing { _ = try source(.firefox) }.message.contains("found no profile of firefox in \(home.path)"))
        _ = try firefox()
        let error = throwing { _ = try source(.firefox, "work") }
        #expect(error.message.contains(#"found no profile "work" with cookies"#))
        #expect(error.description.contains("profiles with cookies: default (abc.default)"))
    }

    @Test func fileThatIsNoDatabaseIsAnError() throws {
        try profiles("", in: ".mozilla/firefox")
        let folder = "\(home.path)/.mozilla/firefox/x"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "secretsecret".write(toFile: "\(folder)/cookies.sqlite", atomically: true, encoding: .utf8)
        let error = throwing { _ = try source(.firefox, "x").cookies(of: scope) }
        #expect(error.message.hasPrefix("could not read the cookies of firefox:x: "))
        #expect(!error.description.contains("secretsecret"))
    }

    // MARK: Chromium

    /// Encrypted with OpenSSL's program, the keys made with Python's PBKDF2.
    private enum Sample {
        static let peanuts = "43ed9a7dcec0f184b2700aa25dead9c23fd8bffbd1a5c89d8c78fb89208157d4"
        static let peanutsWithHost =
            "1bb654833fa6f8a731528db92d657dc37c87544a81ba7875d0681273543b4e4f"
            + "6d02521b66ada21beed3de2cb97b5ba505c52e21f898441cc113c0736060d6c7"
        static let keyring = "a268bbc9c8d75a4ae0dd5d5a2119e61bf95951ad638e53aeae5ad9c17eba324d"
    }

    private func chromium(
        version: Int, prefix: String, _ hex: String, in profile: String = ".config/chromium/Default"
    ) throws {
        let prefix = prefix.utf8.map { String($0, radix: 16) }.joined()
        let queue = try database("\(profile)/Cookies")
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
                    INSERT INTO meta VALUES ('version', '\(version)');
                    CREATE TABLE cookies (creation_utc INTEGER, host_key TEXT, name TEXT, value TEXT, encrypted_value BLOB,
                        path TEXT, expires_utc INTEGER, is_secure INTEGER, is_httponly INTEGER, samesite INTEGER);
                    INSERT INTO cookies VALUES (1, '.example.com', 'sid', '', X'\(prefix)\(hex)', '/',
                        13537929600000000, 1, 1, 1);
                    INSERT INTO cookies VALUES (2, 'www.example.com', 'plain', 'p', X'', '/', 0, 0, 0, -1);
                    INSERT INTO cookies VALUES (3, '.other.test', 'x', '', X'76313100', '/', 0, 0, 0, -1);
                    """)
        }
        try queue.close()
    }

    private let chromiumCookies = [
        Cookie(
            name: "sid", value: "login-value-123456", domain: "example.com", isHostOnly: false, isSecure: true,
            isHTTPOnly: true, expires: 1_893_456_000, sameSite: .lax)!,
        Cookie(name: "plain", value: "p", domain: "www.example.com", isHostOnly: true)!,
    ]

    @Test(arguments: [(23, Sample.peanuts), (24, Sample.peanutsWithHost)])
    func chromiumsFixedPasswordIsKnown(_ version: Int, _ hex: String) throws {
        try chromium(version: version, prefix: "v10", hex)
        #expect(try source(.chromium).cookies(of: scope).cookies == chromiumCookies)
    }

    @Test func keyringsPasswordIsAskedFor() throws {
        try chromium(version: 23, prefix: "v11", Sample.keyring)
        try program("secret-tool", "[ \"$*\" = 'lookup application chromium' ] && printf 'correct horse'")
        #expect(try source(.chromium).cookies(of: scope).cookies == chromiumCookies)
    }

    @Test func keyringOfKDEIsAskedWhereThereIsNoOther() throws {
        try chromium(version: 23, prefix: "v11", Sample.keyring)
        let words = "--read-password Chromium Safe Storage --folder Chromium Keys kdewallet"
        try program("kwallet-query", "[ \"$*\" = '\(words)' ] && echo 'correct horse'")
        #expect(try source(.chromium).cookies(of: scope).cookies == chromiumCookies)
    }

    @Test(arguments: [
        (Browser.chrome, ".config/google-chrome/Default", "chrome"),
        (.brave, "BraveSoftware/Brave-Browser/Default", "brave"),
        (.edge, ".config/microsoft-edge/Profile 2", "chromium"), (.vivaldi, ".config/vivaldi/Default", "chrome"),
        (.opera, ".config/opera", "chromium"), (.opera, ".config/opera/Default", "chromium"),
        (.brave, ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser/Default", "brave"),
        (.chromium, "snap/chromium/common/chromium/Default", "chromium"),
    ])
    func placesOfChromiumAndItsKin(_ browser: Browser, _ profile: String, _ application: String) throws {
        try chromium(version: 23, prefix: "v11", Sample.keyring, in: profile)
        try program("secret-tool", "[ \"$*\" = 'lookup application \(application)' ] && printf 'correct horse'")
        #expect(try source(browser, in: ["XDG_CONFIG_HOME": home.path]).cookies(of: scope).cookies == chromiumCookies)
    }

    @Test(
        arguments: [(nil, "b"), ("Profile 1", "b"), ("Work", "b"), ("work", "b"), ("Default", "a")]
            as [(String?, String)])
    func profileOfChromiumIsFoundByTheNameThatItShows(_ name: String?, _ value: String) throws {
        try chromium(version: 23, prefix: "v10", Sample.peanuts)
        try chromium(version: 23, prefix: "v10", Sample.peanuts, in: ".config/chromium/Profile 1")
        for (profile, value) in [("Default", "a"), ("Profile 1", "b")] {
            let queue = try database(".config/chromium/\(profile)/Cookies")
            try queue.write { try $0.execute(sql: "UPDATE cookies SET value = '\(value)' WHERE name = 'plain'") }
        }
        let state = """
            {"profile": {"last_used": "Profile 1", "info_cache": {"Default": {"name": "Anna"}, "Profile 1": {"name": "Work"}}}}
            """
        try state.write(toFile: "\(home.path)/.config/chromium/Local State", atomically: true, encoding: .utf8)
        #expect(try source(.chromium, name).cookies(of: scope).cookies.last?.value == value)
    }

    @Test(arguments: [
        ("", "secret-tool was not found"), ("exit 1", "no entry for the browser, or it is locked"),
        ("printf 'another'", "the key does not fit"),
    ])
    func cookieThatCannotBeDecryptedCostsNoOther(_ script: String, _ reason: String) throws {
        try chromium(version: 23, prefix: "v11", Sample.keyring)
        if !script.isEmpty { try program("secret-tool", script) }
        let warnings = Mutex<[String]>([])
        let browser = try BrowserCookies(
            .chromium, profile: nil, home: home.path, environment: environment,
            warning: { text in warnings.withLock { $0.append(text) } })
        let found = try browser.cookies(of: scope)
        #expect(found.cookies == [chromiumCookies[1]])
        let error = try #require(found.unreadable["sid"])
        #expect(error.message.contains(reason), "\(error)")
        #expect(error.hint?.description.contains("export cookies.txt") == true)
        #expect(warnings.withLock(\.self) == ["\(error.message): left out sid"])
    }

    @Test func partitionedCookieOfAnotherSiteIsNone() throws {
        try chromium(version: 23, prefix: "v10", Sample.peanuts)
        let queue = try database(".config/chromium/Default/Cookies")
        try queue.write { database in
            try database.execute(
                sql: """
                    ALTER TABLE cookies ADD COLUMN top_frame_site_key TEXT NOT NULL DEFAULT '';
                    UPDATE cookies SET top_frame_site_key = 'https://other.test' WHERE name = 'plain';
                    UPDATE cookies SET top_frame_site_key = 'https://example.com' WHERE name = 'sid';
                    """)
        }
        #expect(try source(.chromium).cookies(of: scope).cookies == [chromiumCookies[0]])
    }

    // MARK: Parts

    private var environment: [String: String] { ["PATH": "\(home.path)/bin:/nowhere", "HOME": home.path] }

    private func source(
        _ browser: Browser, _ profile: String? = nil, container: String? = nil, in variables: [String: String] = [:]
    ) throws -> BrowserCookies {
        try BrowserCookies(
            browser, profile: profile, container: container, home: home.path,
            environment: environment.merging(variables) { $1 })
    }

    private func profiles(_ text: String, in folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: "\(home.path)/\(folder)", withIntermediateDirectories: true)
        try text.write(toFile: "\(home.path)/\(folder)/profiles.ini", atomically: true, encoding: .utf8)
    }

    private func database(_ path: String) throws -> DatabaseQueue {
        let path = "\(home.path)/\(path)"
        try FileManager.default.createDirectory(
            atPath: String(path[..<path.lastIndex(of: "/")!]), withIntermediateDirectories: true)
        return try DatabaseQueue(path: path)
    }

    private func program(_ name: String, _ script: String) throws {
        let folder = "\(home.path)/bin"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "#!/bin/sh\n\(script)\n".write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/\(name)")
    }

    private func throwing(_ body: () throws -> Void) -> TransportError {
        do { try body() } catch let error as TransportError { return error } catch {
            Issue.record("threw \(error)")
        }
        return TransportError(.secrets, message: "nothing was thrown")
    }
}
