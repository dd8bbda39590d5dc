import FoundationEssentials
import Glibc
import ProviderModel

/// The content of `imgscript.lock`: the packs in use, their sources, and their providers' permissions.
///
/// JSON with sorted keys, one value a line, for readable diffs. Each pack has a checksum: what was damaged, or changed by hand,
/// is no permission that the user gave.
package struct Lockfile: Codable, Hashable, Sendable {
    /// The version of the format that this program reads and writes.
    package static let formatVersion = 1
    /// The file's name.
    package static let fileName = "imgscript.lock"

    /// The version of its format.
    package var lockfile: Int
    /// The packs by name.
    package var packs: [String: LockedPack]

    /// A lockfile with packs.
    package init(packs: [String: LockedPack] = [:]) {
        lockfile = Self.formatVersion
        self.packs = packs
    }

    /// Reads a lockfile; nil when there is none.
    package init?(path: String) throws(ProviderError) {
        guard access(path, F_OK) == 0 else { return nil }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw ProviderError(lockfile: path, "not a readable file")
        }
        try self.init(data, of: path)
    }

    /// Reads the content of a lockfile; `path` is its name in errors.
    init(_ data: Data, of path: String) throws(ProviderError) {
        do {
            let version = try JSONDecoder().decode(Format.self, from: data).lockfile
            // First: the rest may differ in another format.
            guard version == Self.formatVersion else {
                throw ProviderError(
                    lockfile: path, "format version \(version) (expected \(Self.formatVersion))",
                    hint: version > Self.formatVersion
                        ? "use the newer version of imgscript that wrote it" : "remove it, and install the packs again")
            }
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch let error as DecodingError {
            throw ProviderError(lockfile: path, Self.reason(of: error))
        } catch let error as ProviderError {
            throw error
        } catch {
            throw ProviderError(lockfile: path, "\(error)")
        }
        for (name, pack) in packs {
            guard let fault = pack.fault(as: name) else { continue }
            throw ProviderError(lockfile: path, "packs.\(name): \(fault)")
        }
        // Foundation's reader takes more for JSON than RFC 8259 has, such as another encoding.
        let entries = JSONValue.found(in: data)?["packs"]
        for name in packs.keys.sorted() where entries?[name]?.hasRightChecksum(for: name) != true {
            throw ProviderError(
                lockfile: path, "packs.\(name) was damaged or changed by hand: its checksum does not match",
                hint: "put the former file back, or remove it and install the packs again")
        }
    }

    /// The file's text.
    package var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            // Foundation's own layout has a space before each colon, and empty lists on three lines.
            let members = try JSONValue(parsing: encoder.encode(self)).members ?? []
            return JSONValue.object(members.map(Self.withChecksums)).pretty + "\n"
        }
    }

    private static func withChecksums(_ member: JSONValue.Member) -> JSONValue.Member {
        guard member.name == "packs", let packs = member.value.members else { return member }
        return JSONValue.Member(
            member.name, .object(packs.map { JSONValue.Member($0.name, $0.value.withChecksum(for: $0.name)) }))
    }

    /// What every version of the format has.
    private struct Format: Decodable {
        let lockfile: Int
    }

    private static func reason(of error: DecodingError) -> String {
        switch error {
        case .typeMismatch(let type, let context): "\(place(context.codingPath)) is not \(words(for: type))"
        case .valueNotFound(let type, let context): "\(place(context.codingPath)) is not \(words(for: type))"
        case .keyNotFound(let key, let context): "\(place(context.codingPath + [key])) is missing"
        case .dataCorrupted(let context) where context.codingPath.isEmpty: "not JSON"
        case .dataCorrupted(let context): "\(place(context.codingPath)): \(context.debugDescription)"
        @unknown default: "\(error)"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "it" : "\"\(path.map(\.stringValue).joined(separator: "."))\""
    }

    private static func words(for type: any Any.Type) -> String {
        switch type {
        case is Int.Type: "a number"
        case is String.Type: "a text"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}

// MARK: - Packs

/// One pack as a lockfile has it.
package struct LockedPack: Codable, Hashable, Sendable {
    /// The pack's version, semver.
    package var version: String
    /// The source as the user gave it: a path, an address, or `registry:NAME@RANGE`.
    package var source: String
    /// The resolved source: the tarball's address, a git address with its commit; nil where it equals `source`.
    package var resolved: String?
    /// The URL of the registry that it came from, which its later versions come from, too; nil for other sources.
    package var registry: String?
    /// The digest of the tarball, as Subresource Integrity has it: `sha512-…`.
    package var integrity: String
    /// The version of the provider contract it is written for.
    package var contract: Int
    /// The minisign key of this and later versions; nil for none.
    package var key: String?
    /// Its providers, by id, each with what it may do.
    package var providers: [String: LockedProvider]
    /// The digests of its scripts, by path: a script with another digest does not run.
    package var scripts: [String: ScriptDigest]

    /// One pack.
    package init(
        version: String, source: String, resolved: String? = nil, registry: String? = nil, integrity: String,
        contract: Int, key: String? = nil, providers: [String: LockedProvider], scripts: [String: ScriptDigest] = [:]
    ) {
        self.version = version
        self.source = source
        self.resolved = resolved
        self.registry = registry
        self.integrity = integrity
        self.contract = contract
        self.key = key
        self.providers = providers
        self.scripts = scripts
    }

    /// The permissions that another version does not have: `requests to a.example (boards)`.
    package func permissions(beyond other: LockedPack) -> [String] {
        providers.sorted { $0.key < $1.key }.flatMap { id, provider in
            provider.permissions.subtracting(other.providers[id]?.permissions).phrases.map { "\($0) (\(id))" }
        }
    }

    /// Where the pack lies below the folder of all packs: one folder for each content.
    package func storePath(as name: String) -> String {
        let digest = integrity.split(separator: "-", maxSplits: 1).last ?? ""
        let short = digest.prefix(16).map { $0 == "/" ? "_" : $0 == "+" ? "-" : $0 }
        return "store/\(name.replacing("/", with: "+"))/\(version)-\(String(short))"
    }

    /// What is invalid in the entry, whose name and version become names of folders; nil for nothing.
    func fault(as name: String) -> String? {
        guard Self.isName(name) else { return "expected a pack's name such as @anna/boards" }
        guard !version.isEmpty, version.utf8.count <= 128, version.first?.isNumber == true,
            version.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".+-".contains($0)) })
        else { return "version: expected a version such as 1.2.0, found \"\(version.prefix(40))\"" }
        guard integrity.hasPrefix("sha512-"), integrity.utf8.count == 95,
            integrity.utf8.dropFirst(7).allSatisfy(\.isBase64)
        else { return "integrity: expected sha512- and 88 characters of base64" }
        for (id, provider) in providers {
            guard provider.file.hasSuffix("\(id).js"), !provider.file.hasPrefix("/"),
                !provider.file.split(separator: "/").contains("..")
            else { return "providers.\(id).file: expected a path within the pack that ends in \(id).js" }
        }
        return nil
    }

    /// npm's rule for names, which keeps them usable in paths and addresses.
    private static func isName(_ name: String) -> Bool {
        let parts =
            name.hasPrefix("@") ? name.dropFirst().split(separator: "/", omittingEmptySubsequences: false) : [name[...]]
        return name.utf8.count <= 214 && parts.count == (name.hasPrefix("@") ? 2 : 1)
            && parts.allSatisfy { part in
                guard let first = part.utf8.first, first != UInt8(ascii: "."), first != UInt8(ascii: "_") else {
                    return false
                }
                return part.utf8.allSatisfy {
                    (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x2e || $0 == 0x5f
                }
            }
    }
}

// MARK: - Providers

/// A provider as a lockfile has it.
package struct LockedProvider: Codable, Hashable, Sendable {
    /// Its file, from the pack's folder.
    package var file: String
    /// The permissions granted when the pack was installed.
    package var permissions: ProviderPermissions

    /// A provider.
    package init(file: String, permissions: ProviderPermissions) {
        self.file = file
        self.permissions = permissions
    }
}

extension UInt8 {
    fileprivate var isBase64: Bool {
        switch self {
        case 0x41...0x5a, 0x61...0x7a, 0x30...0x39, 0x2b, 0x2f, 0x3d: true
        default: false
        }
    }
}

extension ProviderError {
    /// A lockfile that cannot be used.
    fileprivate init(lockfile path: String, _ reason: String, hint: Hint? = nil) {
        self.init(
            .file, provider: "", message: "could not use \(path): \(reason)",
            hint: hint ?? "fix it, or remove it and install the packs again")
    }
}
