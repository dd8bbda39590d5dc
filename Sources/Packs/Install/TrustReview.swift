import ProviderModel
import ProviderRuntime

/// A change that the user has to accept: `--accept permissions`.
package enum Acceptance: String, CaseIterable, Sendable {
    /// Another signing key than the pinned one.
    case key
    /// No signature where there was one, or where the pack names the key of one.
    case unsigned
    /// A lower version.
    case downgrade
    /// More hosts, media hosts, kinds of credentials or methods.
    case permissions
    /// Other content under the same version.
    case content
    /// The pack's own tests fail.
    case tests
}

/// Why a version is not installed by default.
package struct Objection: Hashable, Sendable {
    /// What the user has to accept.
    package let acceptance: Acceptance
    /// What was found, as a sentence.
    package let reason: String

    /// An objection.
    package init(_ acceptance: Acceptance, _ reason: String) {
        self.acceptance = acceptance
        self.reason = reason
    }
}

/// The review of a version against the one that is installed.
///
/// On a first installation only a missing signature counts; from then on its key, its hosts and its version do.
struct TrustReview {
    /// The installed version; nil on a first installation.
    let former: LockedPack?
    /// The new version.
    let next: LockedPack
    let name: String
    /// The key that the pack itself names.
    var statedKey: PublicKey?
    /// Whether the source is a folder, which its owner changes at will, and which has no place for a signature.
    let isFolder: Bool

    /// All reasons to refuse it, most serious first.
    var objections: [Objection] {
        [keyObjection, versionObjection, sourceObjection, permissionObjection].compactMap(\.self)
    }

    private var keyObjection: Objection? {
        if let former, let pinned = former.key, pinned != next.key {
            guard let key = next.key else {
                return Objection(
                    .unsigned,
                    "\(name) \(next.version) is not signed; \(former.version) was signed with \(Self.short(pinned))")
            }
            return Objection(
                .key,
                "\(name) \(next.version) is signed with \(Self.short(key)), "
                    + "\(former.version) with \(Self.short(pinned))")
        }
        // Without this, a pack without its signature would never have a key pinned.
        guard next.key == nil, let statedKey, !isFolder else { return nil }
        return Objection(
            .unsigned,
            "\(name) \(next.version) is not signed, but its \(PackManifest.fileName) names "
                + Self.short(statedKey.description))
    }

    private var versionObjection: Objection? {
        guard let former, let before = SemanticVersion(former.version), let after = SemanticVersion(next.version) else {
            return nil
        }
        if after < before {
            return Objection(
                .downgrade,
                "\(name) \(next.version) is lower than the installed \(former.version)")
        }
        guard after == before, former.integrity != next.integrity, !isFolder else { return nil }
        return Objection(
            .content,
            "\(name) \(next.version) has other content than the installed pack of the same version"
        )
    }

    /// Who else publishes under a name is a matter of trust, as the hosts are that a provider reaches.
    private var sourceObjection: Objection? {
        guard let former, let before = former.origin, let now = next.origin, before != now else { return nil }
        return Objection(
            .permissions, "\(name) \(next.version) comes from \(now), and \(former.version) came from \(before)")
    }

    private var permissionObjection: Objection? {
        guard let former else { return nil }
        let more = next.permissions(beyond: former)
        guard !more.isEmpty else { return nil }
        return Objection(
            .permissions, "\(name) \(next.version) asks for more permissions: \(more.joined(separator: "; "))")
    }

    private static func short(_ key: String) -> String { "the key \(key.prefix(12))…" }
}

extension LockedPack {
    /// The registry, server or repository that it came from; nil for a place on this machine, where packs are moved about.
    fileprivate var origin: String? {
        if let registry { return registry }
        let source = try? PackSource(resolved ?? source)  // what cannot be read names no server
        return switch source {
        case .address(let url): url.origin
        case .git(let address): address.place
        case .folder, .archive, .registry, .index, nil: nil
        }
    }
}

/// The keys that a pack's signature may be made with.
struct TrustedKeys {
    /// The key that the user names.
    let named: PublicKey?
    /// The key that the lockfile pins.
    let pinned: PublicKey?
    /// The key that the pack itself names, used on a first installation.
    let stated: PublicKey?

    /// The key whose signature matches; nil where there is no signature, or no key to check it with.
    func signer(of archive: PackArchive, _ signature: PackSignature?) throws(PackError) -> PublicKey? {
        guard let signature else {
            guard named == nil else {
                throw PackError(
                    .signature, "no signature beside the pack (expected one with the given key)",
                    hint: "the signature file is named after the archive, with .minisig appended")
            }
            return nil
        }
        let keys = named.map { [$0] } ?? [pinned, stated].compactMap(\.self)
        guard let expected = keys.first else { return nil }
        guard let key = keys.first(where: { $0.id == signature.keyID }) else {
            throw PackError(
                .signature, "wrong key: the pack is signed with \(signature.keyID) (expected \(expected.id))",
                hint: .nameKey)
        }
        try key.verify(signature, of: archive.bytes)
        return key
    }
}
