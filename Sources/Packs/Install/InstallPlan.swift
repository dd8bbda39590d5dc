import FoundationEssentials
import Glibc
import ProviderLoading

/// What an installation would do, for the user to judge before anything is changed.
package struct InstallPlan: Sendable {
    /// What would be installed.
    package let candidate: PackCandidate
    /// What is installed now; nil for nothing.
    package let former: LockedPack?
    /// What the lockfile would say.
    package let next: LockedPack

    init(_ candidate: PackCandidate, inPlaceOf former: LockedPack?) {
        self.candidate = candidate
        self.former = former
        next = candidate.locked
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

    /// What its changelog says about the versions since the former one.
    package var changes: [String] {
        guard let former, let before = SemanticVersion(former.version),
            let text = try? String(contentsOf: URL(filePath: "\(candidate.folder)/CHANGELOG.md"), encoding: .utf8)
        else { return [] }  // a pack need not have one
        return Changelog(text).lines(after: before, through: candidate.manifest.version)
    }
}
