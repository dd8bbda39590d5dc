import ProviderModel

/// The user's secrets: those in the environment, then those in `credentials.json`.
package struct SecretStore: SecretSource {
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
        package let owner: SecretOwner
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

    /// The secrets of these names; what the environment gives comes before the file.
    package func secrets(named names: [String], of owner: SecretOwner) throws(TransportError) -> [String: String] {
        var found: [String: String] = [:]
        for name in names {
            if let value = environment[owner.variable(name)], !value.isEmpty { found[name] = value }
        }
        // The file is not even opened when it is not needed.
        guard found.count < Set(names).count else { return found }
        let stored = try file.read()[owner.description] ?? [:]
        for name in names where found[name] == nil { found[name] = stored[name] }
        return found
    }

    /// Lists the secrets in the file, and those that the environment has for these owners.
    package func list(environmentOf owners: [(owner: SecretOwner, names: [String])] = []) throws(TransportError)
        -> [Entry]
    {
        var entries: [Entry] = []
        for (owner, names) in owners {
            for name in names {
                let variable = owner.variable(name)
                guard let value = environment[variable], !value.isEmpty else { continue }
                entries.append(Entry(owner: owner, name: name, origin: .environment(variable)))
            }
        }
        for (text, secrets) in try file.read() {
            guard let owner = SecretOwner(text) else { continue }
            entries += secrets.keys.map { Entry(owner: owner, name: $0, origin: .file) }
        }
        return entries.sorted { ($0.owner, $0.name) < ($1.owner, $1.name) }
    }

    /// Stores a secret that was renewed.
    package func store(_ value: String, as name: String, of owner: SecretOwner) throws {
        try set(name, of: owner, to: value)
    }

    /// Stores a secret in the file.
    package func set(_ name: String, of owner: SecretOwner, to value: String) throws(TransportError) {
        guard !name.isEmpty, name.utf8.allSatisfy(\.isNameByte) else {
            throw TransportError(
                .secrets,
                message: "\(name.quoted) is not a valid name of a secret (expected letters, digits and _, such as key)"
            )
        }
        var value = value
        if name == AuthenticationMethod.cookieSecret {
            value = CookieText.json(try CookieText.cookies(in: value, of: "the cookies of \(owner)"))
        }
        guard !value.isEmpty, !value.utf8.contains(where: \.breaksLines) else {
            throw TransportError(
                .secrets,
                message: "the \(name) of \"\(owner)\" is empty or has a line break (expected one line of text)"
            )
        }
        try file.change { $0[owner.description, default: [:]][name] = value }
    }

    /// Removes a secret, or all of an owner, from the file; false when there was none.
    package func remove(_ name: String? = nil, of owner: SecretOwner) throws(TransportError) -> Bool {
        // Without a file there is nothing to remove, nor a folder for the lock.
        guard try file.read()[owner.description] != nil else { return false }
        var isRemoved = false
        try file.change { all in
            guard var secrets = all[owner.description] else { return }
            let count = secrets.count
            if let name { secrets[name] = nil } else { secrets = [:] }
            isRemoved = secrets.count < count
            all[owner.description] = secrets.isEmpty ? nil : secrets
        }
        return isRemoved
    }
}

extension UInt8 {
    fileprivate var isNameByte: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7a).contains(self | 0x20) || self == UInt8(ascii: "_")
    }
}
