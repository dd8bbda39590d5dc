import ProviderModel
import ProviderRuntime

/// The `package.json` of a pack.
package struct PackManifest: Hashable, Sendable {
    /// The name of the file.
    package static let fileName = "package.json"
    /// How many packages a remark names: a longer list would hide what else there is to read.
    private static let namedInRemark = 8
    /// The maximum length in bytes; a larger file is malicious.
    private static let maximumSize = 1 << 20

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
    /// The words that registries and indexes find it by.
    package let keywords: [String]
    /// Where its sources are.
    package let repository: String?
    /// The version of the contract that its providers are written for.
    package let contract: Int
    /// Its provider files, relative to its folder.
    package private(set) var providers: [String]
    /// The minisign key that its author signs it with: `imgscript.publicKey`; nil for none.
    package let publicKey: PublicKey?
    /// The npm patterns of included files; nil for everything.
    package let files: [String]?
    /// Packages that it depends on, with their ranges; they are never installed.
    package let dependencies: [String]
    /// npm scripts that it declares; they are never run.
    package let scripts: [String]

    /// Reads the `package.json` of a folder.
    package static func read(folder: String) throws(PackError) -> PackManifest {
        let path = "\(folder)/\(fileName)"
        guard let bytes = try FileSystem.bytesIfPresent(at: path, limit: maximumSize) else {
            throw PackError(
                .manifest, "\(folder) is not a pack: it has no \(fileName)", hint: .createPack)
        }
        return try PackManifest(parsing: bytes)
    }

    /// Parses and checks the text of a `package.json`.
    package init(parsing bytes: some Sequence<UInt8>) throws(PackError) {
        let bytes = Array(bytes)
        guard bytes.count <= Self.maximumSize else {
            throw PackError(
                .tooLarge, "\(Self.fileName) is larger than the maximum of \(ByteCount(Self.maximumSize))")
        }
        let json: JSONValue
        do throws(InvalidJSON) { json = try JSONValue(parsing: bytes) } catch {
            throw PackError(.manifest, "\(Self.fileName) is not JSON: \(error)")
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
        // npm takes any list here.
        keywords = json["keywords"]?.elements?.compactMap(\.textValue) ?? []
        files = try fields.texts("files")
        dependencies = fields.ranges(["dependencies", "optionalDependencies", "peerDependencies"])
        scripts = json["scripts"]?.members?.map(\.name) ?? []
        let own = try ManifestFields(json["imgscript"], path: "imgscript")
        contract = try own.contract()
        providers = try own.providers()
        do throws(PackError) {
            publicKey = try own.text("publicKey").map { text throws(PackError) in try PublicKey(parsing: text) }
        } catch {
            throw PackError(.manifest, "\(Self.fileName): imgscript.publicKey is not a minisign key: \(error.message)")
        }
    }

    /// An invalid name is the pack's fault, and not the user's.
    private static func name(in fields: ManifestFields) throws(PackError) -> PackName {
        let text = try fields.requiredText("name")
        do throws(PackError) { return try PackName(text) } catch {
            throw PackError(.manifest, "\(fileName): name: \(error.message)", hint: error.hint)
        }
    }

    /// What npm would do and imgscript does not, for the user.
    package var remarks: [String] {
        var remarks: [String] = []
        let run = scripts.filter { ["preinstall", "install", "postinstall", "prepare"].contains($0) }
        if !run.isEmpty {
            remarks.append(
                "it has install scripts (\(run.joined(separator: ", "))), which imgscript never runs")
        }
        if !dependencies.isEmpty {
            let first = dependencies.prefix(Self.namedInRemark).joined(separator: ", ")
            let more = dependencies.count - Self.namedInRemark
            remarks.append(
                "it depends on \(first)\(more > 0 ? " and \(more) more" : ""): dependencies are not installed")
        }
        if license == nil { remarks.append("it states no licence") }
        return remarks
    }

    /// The manifest with those of its providers whose paths satisfy a condition.
    package func loading(_ isWanted: (String) -> Bool) -> PackManifest {
        var manifest = self
        manifest.providers.removeAll { !isWanted($0) }
        return manifest
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

// MARK: - Parsing

/// An object of `package.json` as it is read: each field in the form that is expected, or an error that says which.
private struct ManifestFields {
    private let json: JSONValue
    /// The path of the object; empty for the whole file.
    private let path: String

    init(_ json: JSONValue?, path: String = "") throws(PackError) {
        guard let json, let members = json.members else {
            let found = json.map { ", found \($0.kind)" } ?? ""
            let what = path.isEmpty ? "is not an object" : "has no object \"\(path)\""
            throw PackError(
                .manifest, "\(PackManifest.fileName) \(what)\(found)",
                hint: #"a pack has "imgscript": { "contract": 1, "providers": ["newsite.js"] }"#)
        }
        // JavaScript uses the last of two equal names, other readers the first: such a file deceives one of them.
        var names: Set<String> = []
        for member in members where !names.insert(member.name).inserted {
            throw PackError(.manifest, "\(PackManifest.fileName) has \(member.name.quoted) twice")
        }
        self.json = json
        self.path = path
    }

    func text(_ name: String) -> String? { json[name]?.textValue }

    func requiredText(_ name: String) throws(PackError) -> String {
        guard let text = text(name), !text.isEmpty else { throw unexpected(name, "a text", found: json[name]?.kind) }
        return text
    }

    /// A list of texts; nil where there is none.
    func texts(_ name: String) throws(PackError) -> [String]? {
        guard let value = json[name] else { return nil }
        guard let elements = value.elements, elements.allSatisfy({ $0.textValue != nil }) else {
            throw unexpected(name, "a list of texts", found: value.kind)
        }
        return elements.compactMap(\.textValue)
    }

    /// An SPDX name, also in the old form `{ "type": "MIT" }`.
    func license() throws(PackError) -> String? {
        guard let value = json["license"] else { return nil }
        guard let text = value.textValue ?? value["type"]?.textValue, !text.isEmpty else {
            throw unexpected("license", "a name such as MIT", found: value.kind)
        }
        return text
    }

    /// Names with their ranges, as `lodash ^4`.
    func ranges(_ names: [String]) -> [String] {
        names.flatMap { name in
            (json[name]?.members ?? []).map { "\($0.name) \($0.value.textValue ?? "")" }
        }
    }

    /// The version of the contract, which has to be one that this engine supports.
    func contract() throws(PackError) -> Int {
        guard let contract = json["contract"]?.integerValue, contract > 0 else {
            throw unexpected("contract", "a number such as \(ProviderManifest.contract)", found: json["contract"]?.kind)
        }
        guard contract <= ProviderManifest.contract else {
            throw PackError(
                .manifest,
                "unsupported contract \(contract) "
                    + "(expected \(ProviderManifest.contract))",
                hint: "a newer version of imgscript may support it")
        }
        return contract
    }

    /// Paths of provider files, each inside the pack and named after an id of its own.
    func providers() throws(PackError) -> [String] {
        guard let paths = try texts("providers"), !paths.isEmpty else {
            let found = json["providers"].map { $0.elements == nil ? $0.kind : "an empty list" }
            throw unexpected("providers", "a list of files such as [\"newsite.js\"]", found: found)
        }
        var known: Set<Substring> = []
        var providers: [String] = []
        for path in paths {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false).drop { $0 == "." }
            guard let file = parts.last, !path.hasPrefix("/"),
                parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." })
            else { throw unexpected("providers", "paths inside the pack", found: path.quoted) }
            guard file.hasSuffix(".js"), !file.hasSuffix("-theme.js"), ProviderID(String(file.dropLast(3))) != nil
            else {
                throw unexpected(
                    "providers", "files named after a provider's id, such as newsite.js", found: path.quoted)
            }
            guard known.insert(file).inserted else {
                throw PackError(.manifest, "\(PackManifest.fileName) lists two providers named \(String(file).quoted)")
            }
            providers.append(parts.joined(separator: "/"))
        }
        return providers
    }

    func unexpected(_ name: String, _ expected: String, found: String?) -> PackError {
        let field = path.isEmpty ? name : "\(path).\(name)"
        return PackError(
            .manifest, "\(PackManifest.fileName): \(field): expected \(expected), found \(found ?? "none")")
    }
}
