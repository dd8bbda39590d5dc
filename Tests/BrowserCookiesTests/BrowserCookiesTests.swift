import BrowserCookies
import Foundation
import HTTPTransport
import LocalDatabase
import ProviderModel
import TestSupport
import Testing

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
        #expect(try source(.firefox).cookies(of: scope) == expected)
        try queue.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).sorted() == [".mozilla"])
    }

    @Test func profileIsFoundByNameByPathAndInOtherPackages() throws {
        _ = try firefox("snap/firefox/common/.mozilla/firefox")
        #expect(try source(.firefox).cookies(of: scope) == firefoxCookies)
        #expect(try source(.firefox, "abc.default").cookies(of: scope) == firefoxCookies)
        let path = "\(home.path)/snap/firefox/common/.mozilla/firefox/abc.default"
        #expect(try source(.firefox, path).cookies(of: scope) == firefoxCookies)
    }

    @Test func missingProfileNamesThoseThatAreThere() throws {
        #expect(throwing { _ = try source(.firefox) }.message.contains("found no profile of firefox in \(home.path)"))
        _ = try firefox()
        let error = throwing { _ = try source(.firefox, "work") }
        #expect(error.message.contains(#"found no profile "work" with cookies"#))
        #expect(error.description.contains("profiles with cookies: abc.default"))
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

    private func chromium(version: Int, prefix: String, _ hex: String) throws {
        let prefix = prefix.utf8.map { String($0, radix: 16) }.joined()
        let queue = try database(".config/chromium/Default/Cookies")
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
        #expect(try source(.chromium).cookies(of: scope) == chromiumCookies)
    }

    @Test func keyringsPasswordIsAskedFor() throws {
        try chromium(version: 23, prefix: "v11", Sample.keyring)
        try secretTool("[ \"$*\" = 'lookup application chromium' ] && printf 'correct horse'")
        #expect(try source(.chromium).cookies(of: scope) == chromiumCookies)
    }

    @Test(arguments: [
        ("", "secret-tool was not found"), ("exit 1", "no entry for the browser, or is locked"),
        ("printf 'another'", "the key does not fit"),
    ])
    func chromiumThatCannotBeReadSaysWhy(_ script: String, _ reason: String) throws {
        try chromium(version: 23, prefix: "v11", Sample.keyring)
        if !script.isEmpty { try secretTool(script) }
        let error = throwing { _ = try source(.chromium).cookies(of: scope) }
        #expect(error.message.contains(reason), "\(error)")
        #expect(error.hint?.description.contains("export cookies.txt") == true)
    }

    // MARK: Parts

    private func source(_ browser: Browser, _ profile: String? = nil) throws -> BrowserCookies {
        try BrowserCookies(
            browser, profile: profile, home: home.path,
            environment: ["PATH": "\(home.path)/bin:/nowhere", "HOME": home.path])
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

    private func secretTool(_ script: String) throws {
        let folder = "\(home.path)/bin"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "#!/bin/sh\n\(script)\n".write(toFile: "\(folder)/secret-tool", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/secret-tool")
    }

    private func throwing(_ body: () throws -> Void) -> TransportError {
        do { try body() } catch let error as TransportError { return error } catch {
            Issue.record("threw \(error)")
        }
        return TransportError(.secrets, message: "nothing was thrown")
    }
}
