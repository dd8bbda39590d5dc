import ProviderRuntime
import ProviderModel

/// A pack that could be installed: fetched, unpacked, its signature checked, its providers asked what they want.
package struct PackCandidate: Sendable {
    /// What its package says.
    package let manifest: PackManifest
    /// What it asks for.
    package let permissions: PackPermissions
    /// Its unpacked folder, in the workspace.
    package let folder: String
    /// Its files.
    package let files: [PackedFile]
    /// How it came.
    package let fetched: FetchedPack
    /// The key that signed it; nil for none.
    package let key: PublicKey?
    /// What the user should know: sentences.
    package let remarks: [String]
    /// Keeps the folder.
    let workspace: PackWorkspace

    /// The entry a lockfile would have for it.
    package var locked: LockedPack {
        let grants = permissions.providers.map { ($0.id.description, ProviderGrant($0)) }
        return LockedPack(
            version: manifest.version.description, source: fetched.source.description, resolved: fetched.resolved,
            integrity: fetched.archive.integrity.description, contract: manifest.contract, key: key?.description,
            providers: Dictionary(grants) { first, _ in first })
    }
}
