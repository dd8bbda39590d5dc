import FoundationEssentials
import ProviderModel
import ProviderRuntime

/// A pack that could be installed: fetched, verified, unpacked, its providers inspected.
package struct PackCandidate: Sendable {
    /// Its unpacked content, in the workspace.
    package let content: UnpackedPack
    /// The manifests of its providers, in the order of its `package.json`.
    package let manifests: [ProviderManifest]
    /// The fetched archive and what its source reports.
    package let fetched: FetchedPack
    /// The key that signed it; nil for none.
    package let key: PublicKey?
    /// The lockfile as it was found.
    let lock: Lockfile
    /// The shipped copy of the pack, where it is the core pack and the installed one is not newer.
    let shipped: LockedPack?
    /// Keeps the folder.
    let workspace: PackWorkspace

    /// Its providers, by id, each with the permissions it requests.
    package var providers: [String: LockedProvider] { ProviderInspection.locked(manifests, of: manifest) }

    /// What its `package.json` says.
    package var manifest: PackManifest { content.manifest }

    /// What the user should know, in sentences.
    package var remarks: [String] { fetched.remarks + manifest.remarks }
}

/// The changes of an installation, for the user to review before anything is changed.
package struct InstallPlan: Sendable {
    /// The pack to install.
    package let candidate: PackCandidate
    /// The entry of the lockfile; nil for none.
    package let former: LockedPack?
    /// The version in use, which the new one is compared with: the installed or the shipped one; nil for none.
    package let current: LockedPack?
    /// The new entry of the lockfile.
    package let next: LockedPack

    /// A plan; `source` is where the pack came from, as the lockfile says it.
    init(_ candidate: PackCandidate, source: String) {
        self.candidate = candidate
        let manifest = candidate.manifest
        former = candidate.lock.packs[manifest.name.description]
        current = candidate.shipped ?? former
        next = LockedPack(
            version: manifest.version.description, source: source, resolved: candidate.fetched.resolved,
            registry: candidate.fetched.registry, integrity: candidate.fetched.archive.integrity.description,
            contract: manifest.contract,
            key: candidate.key?.description, providers: candidate.providers, scripts: candidate.content.scripts)
    }

    /// The pack's name.
    package var name: String { candidate.manifest.name.description }

    /// Whether nothing would change.
    package var isUnchanged: Bool { former == next }

    /// Whether the installed content is the same, and only its source would change.
    package var isSameContent: Bool { former?.integrity == next.integrity }

    /// Whether the new version is that of the copy that ships with the program, or an older one: it would not be used.
    package var isNoNewerThanShipped: Bool {
        guard let shipped = candidate.shipped.flatMap({ SemanticVersion($0.version) }) else { return false }
        return candidate.manifest.version <= shipped
    }

    /// The files of its providers whose code, or a module's, differs from the version in use.
    package var changedProviders: Set<String> {
        guard let current else { return Set(candidate.manifest.providers) }
        return ScriptChanges(from: current.scripts, to: next.scripts, in: candidate.content.folder)
            .changed(of: candidate.manifest.providers)
    }

    /// Reasons against it that the user has to accept.
    package var objections: [Objection] {
        TrustReview(
            former: current, next: next, name: name, statedKey: candidate.manifest.publicKey,
            isFolder: candidate.fetched.source.isFolder
        ).objections
    }

    /// The lines of its changelog about the versions since the former one.
    package var changes: [String] {
        guard let current, let before = SemanticVersion(current.version),
            let text = try? String(
                contentsOf: URL(filePath: "\(candidate.content.folder)/CHANGELOG.md"), encoding: .utf8)
        else { return [] }  // a pack need not have one
        return Changelog(text).lines(after: before, through: candidate.manifest.version)
    }
}

/// The sections of a `CHANGELOG.md`, which begin with a heading that names a version: `## [1.2.0] - 2026-11-20`.
package struct Changelog: Sendable {
    private let sections: [(version: SemanticVersion, lines: [String])]

    /// Reads a changelog.
    package init(_ text: String) {
        var sections: [(version: SemanticVersion, lines: [String])] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("#"), let version = Self.version(in: line) {
                sections.append((version, [line]))
            } else if !sections.isEmpty {
                sections[sections.count - 1].lines.append(line)
            }
        }
        self.sections = sections
    }

    /// The lines under the versions above one, up to another, without empty lines.
    package func lines(after former: SemanticVersion, through next: SemanticVersion) -> [String] {
        sections.filter { $0.version > former && $0.version <= next }.flatMap { section in
            section.lines.filter { $0.contains { !$0.isWhitespace } }
        }
    }

    private static func version(in heading: String) -> SemanticVersion? {
        for word in heading.split(whereSeparator: { $0 == " " || $0 == "#" || $0 == "[" || $0 == "]" || $0 == "(" }) {
            if let version = SemanticVersion(word.hasPrefix("v") ? String(word.dropFirst()) : String(word)) {
                return version
            }
        }
        return nil
    }
}
