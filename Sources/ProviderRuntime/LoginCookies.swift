import HTTPTransport
import ProviderModel

/// The cookies of a user's login at a provider, checked to be what the provider needs.
package struct LoginCookies: Sendable {
    /// Those of the provider's hosts that have not expired.
    package let cookies: [Cookie]
    /// The end of the login as far as its cookies say: the first end of those that are needed.
    package let expires: Int?

    /// Reads the cookies for a manifest from a file or browser, else from the stored text.
    ///
    /// Nil where the manifest takes no cookies, or there are none.
    package init?(
        of manifest: ProviderManifest, on server: WebURL?, from source: (any CookieSource)?, stored: String?,
        now: Int = WallClock.secondsSince1970
    ) throws(TransportError) {
        guard let needs = manifest.authentication.compactMap(\.neededCookies).first else { return nil }
        let scope = RequestScope(provider: manifest.id, hosts: manifest.hosts, instance: server)
        let (name, found): (String, FoundCookies)
        if let source {
            (name, found) = (source.name, try source.cookies(of: scope))
        } else if let stored {
            name = "the stored cookies of \(manifest.secretOwner(on: server))"
            found = FoundCookies(try CookieText.cookies(in: stored, of: name).filter { $0.belongs(to: scope) })
        } else {
            return nil
        }
        let all = found.cookies
        let places = manifest.hosts.map { $0.description == "{instance}" ? server?.host ?? "" : $0.description }
        let hint = Hint.several([
            .plain("log in with your browser"),
            .storeCookies(provider: manifest.id.description, server: manifest.instance == nil ? nil : server?.origin),
        ])
        guard !all.isEmpty else {
            if let reason = found.unreadable.values.first { throw reason }
            throw TransportError(
                .secrets,
                message: "\(name): found no cookie of \(places.joined(separator: ", "))\(needs.inWords)", hint: hint)
        }
        for need in needs where !all.contains(where: { $0.name == need && !$0.hasExpired(at: now) }) {
            if let reason = found.unreadable[need] { throw reason }
            let ends = all.filter { $0.name == need }.compactMap(\.expires)
            let found = ends.max().map { "the cookie \(need) expired on \(DateTime(secondsSince1970: $0).day)" }
            throw TransportError(
                .secrets, message: "\(name): \(found ?? "found no cookie \(need)")\(needs.inWords)", hint: hint)
        }
        cookies = all.filter { !$0.hasExpired(at: now) }
        expires = cookies.filter { needs.isEmpty || needs.contains($0.name) }.compactMap(\.expires).min()
    }
}

extension [String] {
    /// ` (needs a and b)`; nothing for none.
    var inWords: String { isEmpty ? "" : " (needed: \(joined(separator: ", ")))" }
}
