import HTTPTransport
import LocalDatabase
import ProviderModel

/// A browser's cookies, read from a copy of its database: it may be running.
package struct BrowserCookies: CookieSource {
    /// The browser, its profile and container, as far as they were named.
    package let name: String
    private let browser: Browser
    private let database: String
    private let container: FirefoxContainer
    private let environment: [String: String]
    private let warning: @Sendable (String) -> Void

    /// Finds a browser's profile: by its name, folder or path, else the one that the browser uses.
    ///
    /// - Parameters:
    ///   - browser: the browser.
    ///   - profile: what the browser calls the profile, the name of its folder, or a path; nil for the usual one.
    ///   - container: Firefox's container, by its name; nil for the cookies that are in none.
    ///   - home: the user's home folder.
    ///   - environment: the variables that move folders, and those that the keyring's programs need.
    ///   - warning: called with a sentence about cookies that are left out.
    /// - Throws: `TransportError` when there is no such profile or container.
    package init(
        _ browser: Browser, profile: String?, container: String? = nil, home: String, environment: [String: String],
        warning: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(TransportError) {
        self.browser = browser
        self.environment = environment
        self.warning = warning
        name =
            [browser.rawValue, profile].compactMap(\.self).joined(separator: ":")
            + (container.map { "::\($0)" } ?? "")
        let found = try Self.profile(
            profile, of: browser, home: home, folders: browser.folders(home: home, environment: environment))
        database = found.database
        self.container = try Self.container(container, of: browser, in: found.folder)
    }

    /// The browser's cookies of these hosts; those of others are not decrypted.
    package func cookies(of scope: RequestScope) throws(TransportError) -> FoundCookies {
        do {
            return switch browser.engine {
            case .firefox: FoundCookies(try FirefoxCookies.read(database, scope, in: container))
            case .chromium: try encrypted(scope)
            }
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(
                .secrets, message: "could not read the cookies of \(name): \(error)",
                hint: "export cookies.txt from the browser instead", cause: error)
        }
    }

    private func encrypted(_ scope: RequestScope) throws -> FoundCookies {
        let found = try ChromiumCookies.read(database, scope, of: browser, environment)
        let names = found.unreadable.keys.sorted()
        if let reason = names.first.flatMap({ found.unreadable[$0] }) {
            warning("\(reason.message): left out \(names.joined(separator: ", "))")
        }
        return found
    }

    // MARK: Profiles

    private static func profile(
        _ name: String?, of browser: Browser, home: String, folders: [String]
    ) throws(TransportError) -> BrowserProfile {
        if let name, name.contains("/") {
            let path = name.hasPrefix("~/") ? home + name.dropFirst() : name
            guard let found = BrowserProfile(path: path) else {
                throw missing("\(path) has no cookies of \(browser.rawValue)", of: browser)
            }
            return found
        }
        let profiles = BrowserProfiles(of: browser, in: folders)
        guard !profiles.folders.isEmpty else {
            let places = folders.map { $0.hasPrefix("\(home)/") ? String($0.dropFirst(home.utf8.count + 1)) : $0 }
            throw missing(
                "found no profile of \(browser.rawValue) in \(home) (looked in \(places.joined(separator: ", ")))",
                of: browser)
        }
        if let found = profiles.profile(named: name) { return found }
        let what = name.map { "found no profile \($0.quoted) with cookies" } ?? "found no profile with cookies"
        throw missing(
            "\(what) in \(profiles.folders.joined(separator: ", "))", of: browser, known: profiles.all.map(\.label))
    }

    private static func container(
        _ name: String?, of browser: Browser, in folder: String
    ) throws(TransportError) -> FirefoxContainer {
        guard let name, name != "none" else { return .none }
        guard browser.engine == .firefox else {
            throw TransportError(
                .secrets, message: "\(browser.rawValue) has no containers (expected a profile alone)")
        }
        let known = FirefoxContainers(in: folder)
        if let found = known.container(named: name) { return found }
        let names = known.names.isEmpty ? "none is there" : "expected \(known.names.joined(separator: ", "))"
        throw TransportError(
            .secrets,
            message: "could not read the cookies of \(browser.rawValue): unknown container \(name.quoted) (\(names))")
    }

    private static func missing(_ what: String, of browser: Browser, known names: [String] = []) -> TransportError {
        let listed: [Hint] = names.isEmpty ? [] : [.plain("profiles with cookies: \(names.joined(separator: ", "))")]
        return TransportError(
            .secrets, message: "could not read the cookies of \(browser.rawValue): \(what)",
            hint: .several(listed + ["name a profile or its folder, or export cookies.txt from the browser"]))
    }
}

extension Row {
    /// The value of a column; nothing where this version of the browser has none of that name.
    func value(_ column: String) -> DatabaseValue { self[column] as DatabaseValue? ?? .null }
}
