import ProviderModel

/// Which registry has a name, and which key goes where.
package struct RegistrySettings: Sendable {
    /// Asked when nothing else is said.
    package static let standard = "https://registry.npmjs.org/"

    private let configuration: NPMConfiguration
    private let chosen: WebURL?

    /// Settings of `.npmrc` files; `registry` comes before them, for every name.
    package init(_ configuration: NPMConfiguration, registry: String? = nil) throws(PackError) {
        self.configuration = configuration
        chosen = try registry.map { text throws(PackError) in try Self.address(text, named: "--registry") }
    }

    /// The registry of a name, with a slash at its end.
    func registry(of name: PackName) throws(PackError) -> WebURL {
        if let chosen { return chosen }
        if let scope = name.scope, let text = configuration["\(scope):registry"] {
            return try Self.address(text, named: "\(scope):registry in .npmrc")
        }
        return try usual
    }

    /// The registry of names without a scope.
    package var usual: WebURL {
        get throws(PackError) {
            if let chosen { return chosen }
            return try Self.address(configuration["registry"] ?? Self.standard, named: "registry in .npmrc")
        }
    }

    /// The `Authorization` of a request; nil where no key belongs to this very place.
    ///
    /// `.npmrc` gives keys to places such as `//host/path/`: the longest that the address begins with counts.
    func authorization(for url: WebURL) -> String? {
        var path = url.path[...]
        while let slash = path.lastIndex(of: "/") {
            path = path[...slash]
            let place = "//\(url.authority)\(path)"
            for place in [place, String(place.dropLast())] {
                if let token = configuration["\(place):_authToken"], !token.isEmpty { return "Bearer \(token)" }
                if let pair = configuration["\(place):_auth"], !pair.isEmpty { return "Basic \(pair)" }
            }
            path = path.dropLast()
        }
        return nil
    }

    private static func address(_ text: String, named name: String) throws(PackError) -> WebURL {
        do throws(InvalidURL) { return try WebURL(text.hasSuffix("/") ? text : text + "/") } catch {
            throw PackError(
                .registry, "\(name) is \(error), expected a registry's address", hint: "such as \(standard)")
        }
    }
}
