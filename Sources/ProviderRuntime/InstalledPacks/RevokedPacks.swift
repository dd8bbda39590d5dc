import FoundationEssentials
import ProviderModel

/// The versions that indexes have revoked, in a file beside installed packs: none of them is run.
package struct RevokedPacks: Codable, Hashable, Sendable {
    /// The file's name in the folder of packs.
    package static let fileName = "revoked.json"

    /// One version.
    package struct Entry: Codable, Hashable, Sendable {
        /// The pack's name.
        package var name: String
        /// Its version.
        package var version: String
        /// The digest of its archive, by which it is recognized whatever it is called.
        package var integrity: String
        /// The reason, by whoever made the index.
        package var reason: String
        /// The index that revokes it.
        package var index: String
        /// The newest version that is not revoked; nil for none.
        package var replacement: String?

        /// One version.
        package init(
            name: String, version: String, integrity: String, reason: String, index: String, replacement: String?
        ) {
            self.name = name
            self.version = version
            self.integrity = integrity
            self.reason = reason
            self.index = index
            self.replacement = replacement
        }

        /// `revoked by the index anna: sends keys elsewhere`.
        package var text: String { "revoked by the index \(index): \(reason)" }

        /// The way out.
        package var hint: Hint {
            replacement == nil ? .removePack(name) : .several([.updatePack(name), .removePack(name)])
        }
    }

    /// The versions, in the order of their names.
    package var revoked: [Entry]

    /// A list of versions.
    package init(_ revoked: [Entry] = []) { self.revoked = revoked }

    /// The list beside the packs of a folder; empty where there is none.
    package init(in packFolder: String) {
        // Written by one rename: what cannot be read is not there, or was never ours.
        let read = (try? Data(contentsOf: URL(filePath: packFolder.path(to: Self.fileName))))
            .flatMap { try? JSONDecoder().decode(Self.self, from: $0) }
        self = read ?? RevokedPacks()
    }

    /// The entry of an archive; nil where it is not revoked.
    package subscript(integrity: String) -> Entry? { revoked.first { $0.integrity == integrity } }
}
