import ProviderRuntime

/// What one version of a pack may do that another may not.
package struct PermissionDifference: Sendable {
    /// What is new, as phrases: `requests to a.example (boards)`.
    package let added: [String]
    /// What is no longer asked for.
    package let removed: [String]

    /// The difference between two versions.
    package init(from former: LockedPack, to next: LockedPack) {
        added = Self.phrases(in: next, notIn: former)
        removed = Self.phrases(in: former, notIn: next)
    }

    private static func phrases(in pack: LockedPack, notIn other: LockedPack) -> [String] {
        pack.providers.sorted { $0.key < $1.key }.flatMap { id, grant in
            let known = other.providers[id]
            return [
                phrase("requests to", grant.hosts, known?.hosts, id),
                phrase("images from", grant.mediaHosts, known?.mediaHosts, id),
                phrase("credentials", grant.credentials, known?.credentials, id),
            ].compactMap(\.self)
        }
    }

    private static func phrase(_ what: String, _ values: [String], _ known: [String]?, _ id: String) -> String? {
        let more = values.filter { !(known ?? []).contains($0) }
        return more.isEmpty ? nil : "\(what) \(more.joined(separator: ", ")) (\(id))"
    }
}
