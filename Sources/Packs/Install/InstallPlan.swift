import FoundationEssentials
import Glibc
import ProviderRuntime
import ProviderModel

/// What an installation would do, for the user to judge before anything is changed.
package struct InstallPlan: Sendable {
    /// What would be installed.
    package let candidate: PackCandidate
    /// What is installed now; nil for nothing.
    package let former: LockedPack?
    /// What the lockfile would say.
    package let next: LockedPack

    /// A plan; `source` is where the pack came from, as the lockfile says it.
    init(_ candidate: PackCandidate, inPlaceOf former: LockedPack?, source: String) {
        self.candidate = candidate
        self.former = former
        var next = candidate.locked
        next.source = source
        self.next = next
    }

    /// The pack's name.
    package var name: String { candidate.manifest.name.description }

    /// Whether nothing would change.
    package var isUnchanged: Bool { former == next }

    /// Whether the very same content is installed, and only where it came from would change.
    package var isSameContent: Bool { former?.integrity == next.integrity }

    /// What speaks against it.
    package var objections: [Objection] {
        TrustReview(former: former, next: next, name: name, isFolder: candidate.fetched.source.isFolder).objections
    }

    /// What it may do that the former version may not; nil on a first installation.
    package var difference: PermissionDifference? { former.map { PermissionDifference(from: $0, to: next) } }

    /// The places that this version and the former one came from, where they are not the same.
    package var move: (from: String, to: String)? {
        guard let former, let before = former.place, let now = next.place, before != now else { return nil }
        return (before, now)
    }

    /// What its changelog says about the versions since the former one.
    package var changes: [String] {
        guard let former, let before = SemanticVersion(former.version),
            let text = try? String(contentsOf: URL(filePath: "\(candidate.folder)/CHANGELOG.md"), encoding: .utf8)
        else { return [] }  // a pack need not have one
        return Changelog(text).lines(after: before, through: candidate.manifest.version)
    }
}

extension LockedPack {
    /// The server it came from; nil for what lay on this machine, where packs are moved about.
    fileprivate var place: String? {
        let source = try? PackSource(resolved ?? source)
        return switch source {
        case .address(let url): url.origin
        case .git(let address): address.place
        case .folder, .archive, .registry, nil: nil
        }
    }
}
