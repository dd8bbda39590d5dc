import Glibc
import ProviderModel
import Synchronization

/// A source of cookies besides those that are stored: a file, a browser.
package protocol CookieSource: Sendable {
    /// What it is called in errors: the file's path, the browser's name.
    var name: String { get }

    /// Reads the cookies of a provider's hosts, and no others.
    func cookies(of scope: RequestScope) throws(TransportError) -> [Cookie]
}

/// The cookies in a file, read once: it may be a pipe.
package struct CookieFile: CookieSource {
    /// The file's path.
    package let name: String
    private let all: [Cookie]

    /// Reads a file of either format.
    package init(path: String) throws(TransportError) {
        name = path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path) }
        defer { close(descriptor) }
        guard let bytes = descriptor.readToEnd(limit: Self.limit) else { throw Self.failure(path) }
        all = try CookieText.cookies(in: String(decoding: bytes, as: UTF8.self), of: path)
    }

    /// The file's cookies of these hosts.
    package func cookies(of scope: RequestScope) throws(TransportError) -> [Cookie] {
        all.filter { $0.belongs(to: scope) }
    }

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
    private let known = Mutex<[RequestScope: [Cookie]]>([:])

    /// Remembers what a source gives.
    package init(_ base: any CookieSource) { self.base = base }

    /// The source's name.
    package var name: String { base.name }

    /// The source's cookies of these hosts.
    package func cookies(of scope: RequestScope) throws(TransportError) -> [Cookie] {
        if let cookies = known.withLock({ $0[scope] }) { return cookies }
        let cookies = try base.cookies(of: scope)
        known.withLock { $0[scope] = cookies }
        return cookies
    }
}
