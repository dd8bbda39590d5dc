import Glibc
import ProviderModel

/// The pack of the sources that ship with the program: the shipped copy, of which newer versions can be installed.
package struct CorePack: Hashable, Sendable {
    /// The pack's name.
    package static let name = "@imgscript/core"
    /// The name that users may type.
    package static let shortName = "core"

    /// The folder of the shipped copy.
    package let folder: String
    /// The version of the shipped copy.
    package let version: SemanticVersion

    /// The copy in the first of these folders that has one; nil where none does.
    package init?(in folders: [String]) {
        for folder in folders {
            guard let facts = PackFacts(in: folder), facts.name == Self.name,
                let version = facts.version.flatMap({ SemanticVersion($0) })
            else { continue }
            self.folder = folder
            self.version = version
            return
        }
        return nil
    }

    /// An installed version that is not used although it is newer.
    package struct Rejection: Hashable, Sendable {
        /// The installed pack.
        package let pack: InstalledPack
        /// The failed check.
        package let reason: String
    }

    /// Leaves out installed versions that are not newer than the shipped copy, and those that fail their checks.
    package func filtering(_ packs: [InstalledPack]) -> (packs: [InstalledPack], rejections: [Rejection]) {
        var rejections: [Rejection] = []
        let usable = packs.filter { pack in
            guard pack.name == Self.name else { return true }
            guard let installed = SemanticVersion(pack.version), installed > version else { return false }
            guard let reason = pack.fault else { return true }
            rejections.append(Rejection(pack: pack, reason: reason))
            return false
        }
        return (usable, rejections)
    }
}

/// The `package.json` beside providers, as far as it is read at run time; it may be no pack at all.
struct PackFacts {
    let name: String?
    let version: String?
    /// The page where faults are reported.
    let bugs: String?

    init?(in folder: String) {
        guard let bytes = try? ProviderFile.read(folder.path(to: "package.json")), let json = JSONValue.found(in: bytes)
        else { return nil }  // most folders of providers have none
        name = json["name"]?.textValue
        version = json["version"]?.textValue
        bugs = json["bugs"]?["url"]?.textValue ?? json["bugs"]?["email"]?.textValue ?? json["bugs"]?.textValue
    }
}
