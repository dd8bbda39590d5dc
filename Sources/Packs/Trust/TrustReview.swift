import ProviderRuntime

/// What speaks against putting one version of a pack in the place of another.
///
/// The first installation is taken on trust; from then on its key, its hosts and its version count.
package struct TrustReview: Sendable {
    /// What is installed; nil on a first installation.
    let former: LockedPack?
    /// What would be.
    let next: LockedPack
    let name: String
    /// Whether the source is a folder, which its owner changes at will.
    let isFolder: Bool

    /// Everything that speaks against it, most serious first.
    var objections: [Objection] {
        guard let former else { return [] }
        return [keyObjection(former), versionObjection(former), hostsObjection(former)].compactMap(\.self)
    }

    private func keyObjection(_ former: LockedPack) -> Objection? {
        guard let pinned = former.key, pinned != next.key else { return nil }
        guard let key = next.key else {
            return Objection(
                .unsigned,
                "\(name) \(next.version) is not signed, and \(former.version) was, with \(Self.short(pinned))")
        }
        return Objection(
            .key,
            "\(name) \(next.version) is signed with \(Self.short(key)), "
                + "and \(former.version) was with \(Self.short(pinned))"
        )
    }

    private func versionObjection(_ former: LockedPack) -> Objection? {
        guard let before = SemanticVersion(former.version), let after = SemanticVersion(next.version) else {
            return nil
        }
        if after < before {
            return Objection(
                .downgrade,
                "\(name) \(next.version) is lower than the installed \(former.version), and may lack its mends")
        }
        guard after == before, former.integrity != next.integrity, !isFolder else { return nil }
        return Objection(
            .content,
            "\(name) \(next.version) has other content than the installed \(former.version), which has the same version"
        )
    }

    private func hostsObjection(_ former: LockedPack) -> Objection? {
        let more = PermissionDifference(from: former, to: next).added
        guard !more.isEmpty else { return nil }
        return Objection(
            .hosts, "\(name) \(next.version) asks for more than was granted: \(more.joined(separator: "; "))")
    }

    private static func short(_ key: String) -> String { "the key \(key.prefix(12))…" }
}
