import HTTPTransport
import HTTPTypes
import ProviderModel

/// Which stored responses an unsafe request makes useless (RFC 9111 §4.4).
enum Invalidation {
    private static let safeMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PROPFIND"]

    /// The URLs whose responses go; none for a safe method (RFC 9110 §9.2.1) or an error.
    ///
    /// Besides the target these are `Location` and `Content-Location`, on the same origin only: no server may remove
    /// what others answered. A method that is not known counts as unsafe.
    static func urls(method: HTTPRequest.Method, target: WebURL, status: Int, fields: HTTPFields) -> [WebURL] {
        guard !safeMethods.contains(method.rawValue), (200..<400).contains(status) else { return [] }
        let named = [fields[.location], fields[.contentLocation]].compactMap(\.self).compactMap { reference in
            // What is no URL names no response.
            try? target.resolving(reference)
        }
        return [target] + named.filter { $0.isSameOrigin(as: target) }
    }
}
