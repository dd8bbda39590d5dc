import Glibc
import HTTPTransport
import LocalDatabase
import ProviderModel

/// A browser on this machine whose cookies can be read.
package enum Browser: String, Sendable, CaseIterable {
    case firefox, chromium, chrome

    /// The folders with profiles below the home folder, of the usual packages.
    fileprivate var folders: [String] {
        switch self {
        case .firefox:
            [
                ".mozilla/firefox", ".config/mozilla/firefox", "snap/firefox/common/.mozilla/firefox",
                ".var/app/org.mozilla.firefox/.mozilla/firefox",
            ]
        case .chromium:
            [
                ".config/chromium", "snap/chromium/common/chromium",
                ".var/app/org.chromium.Chromium/config/chromium",
            ]
        case .chrome: [".config/google-chrome", ".var/app/com.google.Chrome/config/google-chrome"]
        }
    }

    /// Where a profile's cookies may be, the usual place first.
    fileprivate var files: [String] { self == .firefox ? ["cookies.sqlite"] : ["Cookies", "Network/Cookies"] }
}

/// A browser's cookies, read from a copy of its database: it may be running.
package struct BrowserCookies: CookieSource {
    /// The browser, and the profile where one was named.
    package let name: String
    private let browser: Browser
    private let database: String
    private let environment: [String: String]

    /// Finds a browser's profile: by its name or path, else the one that the browser uses.
    ///
    /// - Throws: `TransportError` when there is none.
    package init(
        _ browser: Browser, profile: String?, home: String, environment: [String: String]
    ) throws(TransportError) {
        self.browser = browser
        self.environment = environment
        name = [browser.rawValue, profile].compactMap(\.self).joined(separator: ":")
        let candidates: [String] = browser.folders.map { "\(home)/\($0)" }
        let folders = candidates.filter { (path: String) in access(path, F_OK) == 0 }
        if let profile, profile.hasPrefix("/") {
            guard let found = Self.database(of: browser, in: profile) else {
                throw Self.missing("\(profile) has no cookies of \(browser.rawValue)", in: [], of: browser)
            }
            database = found
            return
        }
        guard !folders.isEmpty else {
            throw Self.missing(
                "found no profile of \(browser.rawValue) in \(home) (looked in \(browser.folders.joined(separator: ", ")))",
                in: [], of: browser)
        }
        for folder in folders {
            let names: [String] = profile.map { [$0] } ?? Self.usual(browser, in: folder)
            let databases = names.compactMap { (name: String) in Self.database(of: browser, in: "\(folder)/\(name)") }
            guard let found = databases.first else { continue }
            database = found
            return
        }
        let what = profile.map { "found no profile \($0.quoted) with cookies" } ?? "found no profile with cookies"
        throw Self.missing("\(what) in \(folders.joined(separator: ", "))", in: folders, of: browser)
    }

    /// The browser's cookies of these hosts; those of others are not decrypted.
    package func cookies(of scope: RequestScope) throws(TransportError) -> [Cookie] {
        do {
            return switch browser {
            case .firefox: try FirefoxCookies.read(database, scope)
            case .chromium, .chrome: try ChromiumCookies.read(database, scope, of: browser, environment)
            }
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(
                .secrets, message: "could not read the cookies of \(name): \(error)",
                hint: "export cookies.txt from the browser instead", cause: error)
        }
    }

    // MARK: Profiles

    private static func database(of browser: Browser, in profile: String) -> String? {
        browser.files.map { "\(profile)/\($0)" }.first { access($0, F_OK) == 0 }
    }

    /// The profiles to use where none is named, the best first.
    private static func usual(_ browser: Browser, in folder: String) -> [String] {
        guard browser == .firefox else { return ["Default"] }
        let descriptor = open("\(folder)/profiles.ini", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return profiles(of: browser, in: folder) }
        defer { close(descriptor) }
        let text = String(decoding: descriptor.readToEnd(limit: 1 << 20) ?? [], as: UTF8.self)
        return FirefoxProfiles.usual(in: text)
    }

    private static func profiles(of browser: Browser, in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if database(of: browser, in: "\(folder)/\(name)") != nil { names.append(name) }
        }
        return names.sorted()
    }

    private static func missing(_ what: String, in folders: [String], of browser: Browser) -> TransportError {
        let names = folders.flatMap { profiles(of: browser, in: $0) }
        let listed: [Hint] = names.isEmpty ? [] : [.plain("profiles with cookies: \(names.joined(separator: ", "))")]
        return TransportError(
            .secrets, message: "could not read the cookies of \(browser.rawValue): \(what)",
            hint: .several(listed + ["name a profile or its folder, or export cookies.txt from the browser"]))
    }
}

/// Firefox's list of profiles.
enum FirefoxProfiles {
    /// The folders of the profiles that an installation uses, then those marked as default, then the others.
    static func usual(in text: String) -> [String] {
        var (installed, marked, others): ([String], [String], [String]) = ([], [], [])
        for section in text.split(separator: "[").map({ $0.split(whereSeparator: \.isNewline) }) {
            let values = Dictionary(
                section.dropFirst().compactMap { line in
                    line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
                }, uniquingKeysWith: { first, _ in first })
            if section.first?.hasPrefix("Install") == true, let path = values["Default"] { installed.append(path) }
            guard let path = values["Path"] else { continue }
            if values["Default"] == "1" { marked.append(path) } else { others.append(path) }
        }
        return installed + marked + others
    }
}

/// Firefox's `cookies.sqlite`.
enum FirefoxCookies {
    static func read(_ path: String, _ scope: RequestScope) throws -> [Cookie] {
        try ForeignDatabase.read(copyOf: path) { database in
            // Of the usual container: those of others are another login.
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT host, name, value, path, expiry, isSecure, isHttpOnly, sameSite FROM moz_cookies
                    WHERE originAttributes = '' ORDER BY creationTime
                    """)
            return rows.compactMap { row -> Cookie? in
                guard let host = String.fromDatabaseValue(row["host"]) else { return nil }
                let expiry = Int.fromDatabaseValue(row["expiry"]) ?? 0
                let cookie = Cookie(
                    name: String.fromDatabaseValue(row["name"]) ?? "",
                    value: String.fromDatabaseValue(row["value"]) ?? "",
                    domain: host, isHostOnly: !host.hasPrefix("."), path: String.fromDatabaseValue(row["path"]) ?? "/",
                    isSecure: Int.fromDatabaseValue(row["isSecure"]) == 1,
                    isHTTPOnly: Int.fromDatabaseValue(row["isHttpOnly"]) == 1,
                    // Milliseconds since Firefox 142.
                    expires: expiry > 100_000_000_000 ? expiry / 1_000 : expiry,
                    sameSite: [0: .none, 1: .lax, 2: .strict][Int.fromDatabaseValue(row["sameSite"]) ?? -1])
                return cookie.flatMap { $0.belongs(to: scope) ? $0 : nil }
            }
        }
    }
}
