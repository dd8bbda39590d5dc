import ProviderModel

/// The settings of `.npmrc` files: registries and keys.
package struct NPMConfiguration: Sendable {
    private var values: [String: String] = [:]
    /// Settings that could not be used, for the user.
    package private(set) var remarks: [String] = []

    /// No settings.
    package init() {}

    /// The settings of files, the first of which count most; one that does not exist has none.
    package init(files: [String], environment: [String: String]) throws(PackError) {
        for path in files {
            guard let bytes = try FileSystem.bytesIfPresent(at: path, limit: 1 << 20) else { continue }
            var file = NPMConfiguration(text: String(decoding: bytes, as: UTF8.self), environment: environment)
            file.remarks = file.remarks.map { "\(path): \($0)" }
            values.merge(file.values) { first, _ in first }
            remarks += file.remarks
        }
    }

    /// The settings of one file's text: `key = value` lines, `${NAME}` for what the environment says.
    package init(text: String, environment: [String: String]) {
        for line in text.split(whereSeparator: \.isNewline) {
            let trimmed = line.trimmingPrefix { $0.isWhitespace }
            guard let first = trimmed.first, first != "#", first != ";", first != "[",
                let equals = trimmed.firstIndex(of: "=")
            else { continue }
            let key = Self.trimmed(trimmed[..<equals])
            var value = Self.trimmed(trimmed[trimmed.index(after: equals)...])
            if value.count >= 2, value.first == "\"", value.last == "\"" {
                value = String(value.dropFirst().dropLast())
            }
            do throws(MissingVariable) {
                values[try Self.expanded(key, environment)] = try Self.expanded(value, environment)
            } catch {
                remarks.append("\(key) refers to ${\(error.name)}, which is not set")
            }
        }
    }

    /// The value of a setting.
    subscript(key: String) -> String? { values[key] }

    private struct MissingVariable: Error { let name: String }

    private static func expanded(_ text: String, _ environment: [String: String]) throws(MissingVariable) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            result += rest[..<start.lowerBound]
            var name = String(rest[start.upperBound..<end])
            // npm's `${NAME?}` is nothing where the variable is not set.
            let isOptional = name.hasSuffix("?")
            if isOptional { name.removeLast() }
            guard let value = environment[name] ?? (isOptional ? "" : nil) else { throw MissingVariable(name: name) }
            result += value
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text.drop { $0.isWhitespace })
    }
}

/// The registry of each scope, and the key of each registry.
package struct RegistrySettings: Sendable {
    /// Asked when nothing else is configured.
    package static let `default` = "https://registry.npmjs.org/"

    private let configuration: NPMConfiguration
    private let chosen: WebURL?

    /// Settings of `.npmrc` files; `registry` comes before them, for every name.
    package init(_ configuration: NPMConfiguration, registry: String? = nil) throws(PackError) {
        self.configuration = configuration
        chosen = try registry.map { text throws(PackError) in try Self.address(text, setting: "registry") }
    }

    /// The registry of a name, with a slash at its end.
    func registry(of name: PackName) throws(PackError) -> WebURL {
        if let chosen { return chosen }
        if let scope = name.scope, let text = configuration["\(scope):registry"] {
            return try Self.address(text, setting: "\(scope):registry in .npmrc")
        }
        return try defaultRegistry
    }

    /// The registry of names without a scope.
    package var defaultRegistry: WebURL {
        get throws(PackError) {
            if let chosen { return chosen }
            return try Self.address(configuration["registry"] ?? Self.default, setting: "registry in .npmrc")
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

    private static func address(_ text: String, setting name: String) throws(PackError) -> WebURL {
        do throws(InvalidURL) { return try WebURL(text.hasSuffix("/") ? text : text + "/") } catch {
            throw PackError(
                .registry, "\(name): found \(error) (expected the URL of a registry such as \(Self.default))")
        }
    }
}
