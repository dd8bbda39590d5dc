import Glibc
import ProviderModel
import Synchronization

/// A source of cookies besides those that are stored: a file, a browser.
package protocol CookieSource: Sendable {
    /// What it is called in errors: the file's path, the browser's name.
    var name: String { get }

    /// Reads the cookies of a provider's hosts, and no others.
    func cookies(of scope: RequestScope) throws(TransportError) -> FoundCookies
}

/// The cookies that a source has of a provider's hosts.
package struct FoundCookies: Sendable {
    /// The cookies that could be read.
    package var cookies: [Cookie]
    /// The reasons of those that could not be read, by the cookies' names.
    package var unreadable: [String: TransportError]

    /// Cookies, all or some of which could be read.
    package init(_ cookies: [Cookie], unreadable: [String: TransportError] = [:]) {
        (self.cookies, self.unreadable) = (cookies, unreadable)
    }
}

/// The cookies in a file, read once: it may be a pipe.
package struct CookieFile: CookieSource {
    /// The file's path.
    package let name: String
    private let all: [Cookie]

    /// Reads a file of either format; entries that are not valid are warned of, and left out.
    package init(path: String, warning: (String) -> Void) throws(TransportError) {
        name = path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path) }
        defer { close(descriptor) }
        guard let bytes = descriptor.readToEnd(limit: Self.limit) else { throw Self.failure(path) }
        let reading = try CookieText.read(bytes, of: path)
        all = reading.cookies
        for fault in reading.faults.prefix(Self.shownFaults) { warning("\(fault): left out") }
        let others = reading.faults.count - Self.shownFaults
        if others > 0 { warning("\(path): \(others.counted("more entry", plural: "more entries")) left out") }
    }

    /// The file's cookies of these hosts.
    package func cookies(of scope: RequestScope) -> FoundCookies {
        FoundCookies(all.filter { $0.belongs(to: scope) })
    }

    private static let shownFaults = 5
    private static let limit = 32 << 20

    private static func failure(_ path: String) -> TransportError {
        TransportError(
            .secrets, message: "could not read the cookies of \(path): \(String(cString: strerror(errno)))",
            hint: "name a cookies.txt that your browser or an extension has exported")
    }
}

/// The cookies of a slower source, asked once for each provider.
package final class RememberedCookies: CookieSource {
    private let base: any CookieSource
    private let known = Mutex<[RequestScope: FoundCookies]>([:])

    /// Remembers what a source gives.
    package init(_ base: any CookieSource) { self.base = base }

    /// The source's name.
    package var name: String { base.name }

    /// The source's cookies of these hosts.
    package func cookies(of scope: RequestScope) throws(TransportError) -> FoundCookies {
        if let cookies = known.withLock({ $0[scope] }) { return cookies }
        let cookies = try base.cookies(of: scope)
        known.withLock { $0[scope] = cookies }
        return cookies
    }
}
