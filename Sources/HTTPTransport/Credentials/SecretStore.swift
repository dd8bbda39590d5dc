import ProviderModel

/// The user's secrets: those in the environment, then those in `credentials.json`.
package struct SecretStore: Sendable {
    /// Where a secret was found.
    package enum Origin: Hashable, Sendable {
        /// The variable of this name.
        case environment(String)
        /// The file.
        case file
    }

    /// A secret that exists, without its value.
    package struct Entry: Hashable, Sendable {
        /// Whose secret.
        package let provider: ProviderID
        /// Its name: `key`, `client_id`.
        package let name: String
        /// Where it comes from.
        package let origin: Origin
    }

    private let file: SecretFile
    private let environment: [String: String]

    /// The secrets of this environment and of the file in this folder.
    package init(folder: String, environment: [String: String]) {
        file = SecretFile(folder: folder)
        self.environment = environment
    }

    /// The file's path, for messages.
    package var path: String { file.path }

    /// The variable a secret can be given by: `IMGSCRIPT_PIXABAY_KEY`.
    package static func variable(for provider: ProviderID, _ name: String) -> String {
        "IMGSCRIPT_\(provider)_\(name)".uppercased().replacing("-", with: "_")
    }

    /// The secrets of these names; what the environment gives comes before the file.
    package func secrets(named names: [String], of provider: ProviderID) throws(TransportError) -> [String: String] {
        var found: [String: String] = [:]
        for name in names {
            if let value = environment[Self.variable(for: provider, name)], !value.isEmpty { found[name] = value }
        }
        // The file is not even opened when it is not needed.
        guard found.count < Set(names).count else { return found }
        let stored = try file.read()[provider.description] ?? [:]
        for name in names where found[name] == nil { found[name] = stored[name] }
        return found
    }

    /// What the file holds, and what the environment gives to these providers.
    package func list(environmentOf providers: [(provider: ProviderID, names: [String])] = []) throws(TransportError)
        -> [Entry]
    {
        var entries: [Entry] = []
        for (provider, names) in providers {
            for name in names {
                let variable = Self.variable(for: provider, name)
                guard let value = environment[variable], !value.isEmpty else { continue }
                entries.append(Entry(provider: provider, name: name, origin: .environment(variable)))
            }
        }
        for (text, secrets) in try file.read() {
            guard let provider = ProviderID(text) else { continue }
            entries += secrets.keys.map { Entry(provider: provider, name: $0, origin: .file) }
        }
        return entries.sorted { ($0.provider, $0.name) < ($1.provider, $1.name) }
    }

    /// Keeps a secret in the file.
    package func set(_ name: String, of provider: ProviderID, to value: String) throws(TransportError) {
        guard !name.isEmpty, name.utf8.allSatisfy(\.isNameByte) else {
            throw TransportError(
                .secrets,
                message: "\(name.quoted) is no name for a secret; expected letters, digits and _, such as key"
            )
        }
        guard !value.isEmpty, !value.utf8.contains(where: \.breaksLines) else {
            throw TransportError(
                .secrets,
                message: "the \(name) of “\(provider)” is empty or has a line break; expected one line of text"
            )
        }
        var all = try file.read()
        all[provider.description, default: [:]][name] = value
        try file.write(all)
    }

    /// Removes a secret, or all of a provider, from the file; false when there was none.
    package func remove(_ name: String? = nil, of provider: ProviderID) throws(TransportError) -> Bool {
        var all = try file.read()
        guard var secrets = all[provider.description] else { return false }
        let count = secrets.count
        if let name { secrets[name] = nil } else { secrets = [:] }
        guard secrets.count < count else { return false }
        all[provider.description] = secrets.isEmpty ? nil : secrets
        try file.write(all)
        return true
    }
}

extension UInt8 {
    fileprivate var isNameByte: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7a).contains(self | 0x20) || self == UInt8(ascii: "_")
    }
}
