import ProviderModel
import ProviderRuntime

/// What a pack's `package.json` says.
package struct PackManifest: Hashable, Sendable {
    /// The name of the file.
    package static let fileName = "package.json"
    /// How many packages a remark names: a longer list would hide what else there is to read.
    private static let mostNamed = 8
    /// A larger one is made to be slow.
    static let largest = 1 << 20

    /// The name it is published under.
    package let name: PackName
    /// Its version.
    package let version: SemanticVersion
    /// The licence, as SPDX names it; nil where none is given.
    package let license: String?
    /// One sentence about it.
    package let summary: String?
    /// Where to read about it.
    package let homepage: String?
    /// Where its sources are.
    package let repository: String?
    /// The version of the contract that its providers are written for.
    package let contract: Int
    /// Its provider files, relative to its folder.
    package let providers: [String]
    /// The minisign key that its author signs it with: `imgscript.publicKey`; nil for none.
    package let publicKey: PublicKey?
    /// What goes in besides what always does, as npm's patterns; nil for everything.
    package let files: [String]?
    /// Packages it wants beside it, with their ranges; they are never installed.
    package let dependencies: [String]
    /// What it would have npm run; it is never run.
    package let scripts: [String]

    /// Reads the `package.json` of a folder.
    package static func read(folder: String) throws(PackError) -> PackManifest {
        let path = "\(folder)/\(fileName)"
        guard let bytes = try DiskFile.bytesIfPresent(at: path, limit: largest) else {
            throw PackError(
                .manifest, "\(folder) has no \(fileName), which makes a folder a pack",
                hint: "imgscript pack init writes one")
        }
        return try PackManifest(parsing: bytes)
    }

    /// Parses and checks the text of a `package.json`.
    package init(parsing bytes: some Sequence<UInt8>) throws(PackError) {
        let json: JSONValue
        do throws(InvalidJSON) { json = try JSONValue(parsing: bytes) } catch {
            throw PackError(.manifest, "\(Self.fileName) is no JSON: \(error)")
        }
        let fields = try ManifestFields(json)
        name = try Self.name(in: fields)
        let versionText = try fields.requiredText("version")
        guard let version = SemanticVersion(versionText) else {
            throw fields.unexpected("version", "a version such as 1.0.0", found: versionText.quoted)
        }
        self.version = version
        license = try fields.license()
        summary = fields.text("description")
        homepage = fields.text("homepage")
        repository = fields.text("repository") ?? json["repository"]?["url"]?.textValue
        files = try fields.texts("files")
        dependencies = fields.ranges(["dependencies", "optionalDependencies", "peerDependencies"])
        scripts = json["scripts"]?.members?.map(\.name) ?? []
        let own = try ManifestFields(json["imgscript"], path: "imgscript")
        contract = try own.contract()
        providers = try own.providers()
        do throws(PackError) {
            publicKey = try own.text("publicKey").map { text throws(PackError) in try PublicKey(parsing: text) }
        } catch {
            throw PackError(.manifest, "\(Self.fileName): imgscript.publicKey is no minisign key: \(error.message)")
        }
    }

    /// A name that is none is the pack's fault, and not that of whoever typed where the pack is.
    private static func name(in fields: ManifestFields) throws(PackError) -> PackName {
        let text = try fields.requiredText("name")
        do throws(PackError) { return try PackName(text) } catch {
            throw PackError(.manifest, "\(fileName): name: \(error.message)", hint: error.hint)
        }
    }

    /// What a user should hear of before the pack is used: what npm would do and imgscript does not.
    package var remarks: [String] {
        var remarks: [String] = []
        let run = scripts.filter { ["preinstall", "install", "postinstall", "prepare"].contains($0) }
        if !run.isEmpty {
            remarks.append(
                "it has scripts that npm would run (\(run.joined(separator: ", "))); imgscript never runs any")
        }
        if !dependencies.isEmpty {
            let first = dependencies.prefix(Self.mostNamed).joined(separator: ", ")
            let more = dependencies.count - Self.mostNamed
            remarks.append(
                "it depends on \(first)\(more > 0 ? " and \(more) more" : ""), which imgscript does not install")
        }
        if license == nil { remarks.append("it names no licence") }
        return remarks
    }

    /// Its provider files below the folder it lies in.
    package func providerFiles(in folder: String) -> [ProviderFile] {
        providers.compactMap { path in
            var parts = path.split(separator: "/")
            return ProviderID(String(parts.removeLast().dropLast(3))).map {
                ProviderFile(id: $0, folder: ([folder[...]] + parts).joined(separator: "/"), root: folder)
            }
        }
    }
}
