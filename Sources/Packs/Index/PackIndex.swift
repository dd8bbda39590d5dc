import FoundationEssentials
import ProviderModel
import ProviderRuntime

/// A list of packs as a static file, signed by whoever made it: `index.json`, with `index.json.minisig` beside it.
package struct PackIndex: Codable, Hashable, Sendable {
    /// The version of the format that this program reads and writes.
    package static let formatVersion = 1
    /// The name of the file.
    package static let fileName = "index.json"
    /// The most bytes of the file.
    package static let maximumSize = 32 << 20

    /// The version of its format.
    package var index = Self.formatVersion
    /// When it was written: `2026-11-28T04:00:00Z`.
    package var made: String
    /// The key that it is signed with.
    package var key: String
    /// The newest status of the sources; nil for none.
    package var status: StatusPlace?
    /// The packs by name.
    package var packs: [String: Pack]
    /// Entries that cannot be read, each with its place, for the user.
    package private(set) var faults: [String] = []

    /// The place of a status of sources.
    package struct StatusPlace: Codable, Hashable, Sendable {
        /// Its URL, relative to the index; its signature is beside it.
        package var url: String
        /// The key that it is signed with; nil for the index's own.
        package var key: String?

        /// A place.
        package init(url: String, key: String? = nil) {
            self.url = url
            self.key = key
        }
    }

    /// A pack with its versions.
    package struct Pack: Codable, Hashable, Sendable {
        /// One sentence about it.
        package var description: String?
        /// The licence, as SPDX names it.
        package var license: String?
        /// Where to read about it.
        package var homepage: String?
        /// The words it is found by.
        package var keywords: [String]?
        /// Its versions.
        package var versions: [String: Version]
    }

    /// One version of a pack.
    package struct Version: Codable, Hashable, Sendable {
        /// The URL of the `.tgz`, relative to the index.
        package var archive: String
        /// The digest of the archive, as lockfiles have it.
        package var integrity: String
        /// How many bytes the archive has.
        package var size: Int
        /// The version of the provider contract it is written for.
        package var contract: Int
        /// The key that it is signed with; nil for an unsigned pack.
        package var key: String?
        /// The text of the archive's `.minisig`; nil for an unsigned pack.
        package var signature: String?
        /// Its providers by id.
        package var providers: [String: Provider]
        /// Why it should no longer be used.
        package var deprecated: String?
        /// Why it must not be used.
        package var revoked: String?
    }

    /// A provider, with facts of its manifest.
    package struct Provider: Codable, Hashable, Sendable {
        /// The name of the source.
        package var name: String
        /// The version of the file.
        package var version: String
        /// One sentence about the source.
        package var about: String?
        /// The source's home page.
        package var homepage: String?
        /// The names of its operations, such as `search`.
        package var operations: [String]
        /// Its file in the pack.
        package var file: String
        /// The permissions that it asks for.
        package var permissions: ProviderPermissions
    }

    private enum CodingKeys: String, CodingKey {
        case index, made, key, status, packs
    }

    /// An index of packs.
    package init(made: String, key: PublicKey, status: StatusPlace? = nil, packs: [String: Pack] = [:]) {
        self.made = made
        self.key = key.description
        self.status = status
        self.packs = packs
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        index = try container.decode(Int.self, forKey: .index)
        made = try container.decode(String.self, forKey: .made)
        key = try container.decode(String.self, forKey: .key)
        status = try container.decodeIfPresent(StatusPlace.self, forKey: .status)
        let read = try container.decode([String: Readable].self, forKey: .packs)
        packs = [:]
        for (name, entry) in read.sorted(by: { $0.key < $1.key }) {
            let fault = (try? PackName(name)) == nil ? "not the name of a pack" : entry.fault
            if let pack = entry.pack, fault == nil {
                packs[name] = pack
            } else {
                faults.append("\(name): \(fault ?? "")")
            }
        }
    }

    /// A pack, or why there is none: one that cannot be read does not cost the others.
    private struct Readable: Decodable {
        var pack: Pack?
        var fault: String?

        init(from decoder: any Decoder) {
            do {
                let pack = try Pack(from: decoder)
                fault =
                    pack.versions.sorted { $0.key < $1.key }.lazy.compactMap { version, entry in
                        SemanticVersion(version) == nil
                            ? "invalid version \(version.quoted)"
                            : PackIntegrity(entry.integrity) == nil ? "\(version): integrity is no SHA-512" : nil
                    }.first
                self.pack = pack
            } catch let error as DecodingError {
                fault = Self.reason(of: error)
            } catch {
                fault = "\(error)"
            }
        }

        private static func reason(of error: DecodingError) -> String {
            switch error {
            case .keyNotFound(let key, _): "\(key.stringValue.quoted) is missing"
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                "\(context.codingPath.dropFirst(2).map(\.stringValue).joined(separator: ".")): \(context.debugDescription)"
            @unknown default: "\(error)"
            }
        }
    }

    // MARK: Text

    /// Parses the text of an index.
    package init(parsing bytes: [UInt8]) throws(PackError) {
        /// What every version of the format has.
        struct Format: Decodable { let index: Int }
        let data = Data(bytes)
        do {
            // First: the rest may differ in another format.
            let version = try JSONDecoder().decode(Format.self, from: data).index
            guard version == Self.formatVersion else {
                throw PackError(
                    .index, "format version \(version) (expected \(Self.formatVersion))",
                    hint: "a newer version of imgscript may read it")
            }
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch let error as PackError {
            throw error
        } catch {
            let start = String(decoding: bytes.prefix(60), as: UTF8.self).quoted
            throw PackError(
                .index, "not an index of packs: \(start)", hint: "check the URL: it leads to an \(Self.fileName)",
                cause: error)
        }
    }

    /// The text of the file: sorted, one value a line.
    package var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try JSONValue(parsing: encoder.encode(self)).pretty + "\n"
        }
    }

    /// Checks the signature of an index's bytes.
    package static func check(_ bytes: [UInt8], _ signature: PackSignature, by key: PublicKey) throws(PackError) {
        do throws(PackError) { try key.verify(signature, of: bytes) } catch {
            throw PackError(
                .signature, error.message.replacing("the archive", with: "the index"),
                hint: "it may be being replaced right now: try again in a minute", cause: error)
        }
    }
}

// MARK: - Versions

extension PackIndex.Pack {
    /// The versions that are not revoked, the highest first.
    package var usable: [(version: SemanticVersion, entry: PackIndex.Version)] {
        versions.filter { $0.value.revoked == nil }
            .compactMap { text, entry in SemanticVersion(text).map { (version: $0, entry: entry) } }
            .sorted { $0.version > $1.version }
    }

    /// The version that a range or `latest` stands for: the highest that nobody advises against; nil for none.
    package func version(for wanted: String) -> (version: SemanticVersion, entry: PackIndex.Version)? {
        let range = wanted == "latest" ? VersionRange.any : VersionRange(wanted)
        guard let range else { return nil }
        let found = usable.filter { range.contains($0.version) }
        // A pack without a release has its newest prerelease.
        let known = found.isEmpty && wanted == "latest" ? usable : found
        return known.first { $0.entry.deprecated == nil } ?? known.first
    }

    /// The newest version.
    package var latest: (version: SemanticVersion, entry: PackIndex.Version)? { version(for: "latest") }
}
