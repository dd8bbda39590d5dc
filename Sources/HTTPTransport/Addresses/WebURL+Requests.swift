import ProviderModel

extension WebURL {
    /// The URL without the query pairs of these names.
    func removingQuery(named names: [String]) -> WebURL {
        guard let query, !names.isEmpty else { return self }
        let pairs = query.split(separator: "&", omittingEmptySubsequences: false)
        let kept = pairs.filter { !names.contains(Self.name(of: $0)) }
        guard kept.count < pairs.count else { return self }
        let tail = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
        // Part of a URL that parsed parses again; should it not, the pairs are better kept than the request lost.
        return (try? WebURL(origin + path + tail)) ?? self
    }

    /// The URL as text with `name=***` at its end for each of these names.
    func maskingQuery(_ names: [String]) -> String {
        let plain = removingQuery(named: names)
        let masks = names.map { "\(PercentEncoding.encode($0))=***" }.joined(separator: "&")
        return plain.origin + plain.target + (plain.query == nil ? "?" : "&") + masks
    }

    private static func name(of pair: Substring) -> String {
        PercentEncoding.decode(pair.prefix { $0 != "=" })
    }
}

extension WebURL {
    /// Parses a server as users name it.
    ///
    /// - Parameter text: a host, with a port where needed, or a URL; without a scheme it is https.
    /// - Throws: ``TransportError`` with the code `badRequest` when `text` is neither.
    public init(server text: String) throws(TransportError) {
        do throws(InvalidURL) { self = try WebURL(text.contains("://") ? text : "https://\(text)") } catch {
            throw TransportError(
                .badRequest,
                message: "\(text.maskingUserInfo.quoted) is not a server (expected its name or its URL, such as "
                    + "https://social.example)"
            )
        }
    }
}
