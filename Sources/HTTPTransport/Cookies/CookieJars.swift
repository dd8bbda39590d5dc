import ProviderModel
import Synchronization

/// The cookies of every login of a program: those that are stored or given, and what servers have set since.
package final class CookieJars: Sendable {
    private struct Key: Hashable {
        let owner: SecretOwner
        let identity: [UInt8]
        let isSession: Bool

        init(_ credentials: Credentials) {
            owner = credentials.owner
            isSession = credentials.method.placement == .session
            identity = credentials.identityMaterial
        }
    }

    private struct Entry {
        var jar: CookieJar
        var hasChanged = false
    }

    private let entries = Mutex<[Key: Entry]>([:])

    /// No cookies.
    package init() {}

    /// The logins whose cookies servers have changed, with all that they have now.
    package var changed: [(owner: SecretOwner, cookies: [Cookie])] {
        entries.withLock { entries in
            // Those of a provider's own session are for this run.
            entries.filter { $0.value.hasChanged && !$0.key.isSession }.map { ($0.key.owner, $0.value.jar.cookies) }
        }
    }

    func jar(of credentials: Credentials) -> CookieJar {
        entries.withLock { $0[Key(credentials)]?.jar } ?? CookieJar(credentials.cookies)
    }

    func take(
        _ lines: [String], for credentials: Credentials, from url: WebURL, in scope: RequestScope, at now: Int
    ) {
        entries.withLock { entries in
            var entry = entries[Key(credentials)] ?? Entry(jar: CookieJar(credentials.cookies))
            if entry.jar.take(lines, from: url, in: scope, at: now) { entry.hasChanged = true }
            entries[Key(credentials)] = entry
        }
    }

    func redaction(for credentials: Credentials) -> SecretRedaction {
        SecretRedaction(credentials.secretValues(of: jar(of: credentials).cookies))
    }
}

/// The cookies of one login: those it began with, and what servers have set since.
package struct CookieJar: Hashable, Sendable {
    /// The cookies in the order in which they came.
    package private(set) var cookies: [Cookie]

    /// More than any site sets; what comes after them is dropped.
    private static let limit = 500

    /// A jar with these cookies.
    package init(_ cookies: [Cookie] = []) {
        self.cookies = []
        for cookie in cookies { store(cookie) }
    }

    /// The `Cookie` line of a request; nil for none (RFC 6265 §5.4).
    package func header(for url: WebURL, at now: Int) -> String? {
        let sent = cookies.filter { $0.matches(url, at: now) }.enumerated().sorted {
            ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
        }
        guard !sent.isEmpty else { return nil }
        return sent.map { $0.element.name.isEmpty ? $0.element.value : "\($0.element.name)=\($0.element.value)" }
            .joined(separator: "; ")
    }

    /// Takes the `Set-Cookie` lines of an answer, those of a provider's hosts only; says whether something changed.
    package mutating func take(_ lines: [String], from url: WebURL, in scope: RequestScope, at now: Int) -> Bool {
        take(lines, from: url, at: now) { $0.belongs(to: scope) }
    }

    /// Takes the `Set-Cookie` lines of an answer that have a property; says whether something changed.
    mutating func take(
        _ lines: [String], from url: WebURL, at now: Int, where isWanted: (Cookie) -> Bool = { _ in true }
    ) -> Bool {
        let before = cookies
        for line in lines {
            guard let cookie = Cookie(setBy: line, from: url, at: now), isWanted(cookie) else { continue }
            if cookie.hasExpired(at: now) {
                cookies.removeAll { cookie.replaces($0) }
            } else {
                store(cookie)
            }
        }
        return cookies != before
    }

    private mutating func store(_ cookie: Cookie) {
        if let index = cookies.firstIndex(where: { cookie.replaces($0) }) {
            cookies[index] = cookie
        } else if cookies.count < Self.limit {
            cookies.append(cookie)
        }
    }
}
