import Crypto
import FoundationEssentials
import ProviderModel

/// A registry's document about a name: its versions and tags.
struct Packument: Decodable {
    struct Release: Decodable {
        let name: String?
        let version: String?
        let deprecated: Deprecation?
        let dist: Distribution
    }

    struct Distribution: Decodable {
        let tarball: String
        let integrity: String?
        let shasum: String?
        let signatures: [Signature]?
    }

    struct Signature: Decodable {
        let keyid: String
        let sig: String
    }

    /// A sentence; old registries have `false` there.
    struct Deprecation: Decodable {
        let reason: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            // Another type than a string is no reason.
            reason = (try? container.decode(String.self)).flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    let name: String?
    let tags: [String: String]
    let versions: [String: Release]

    enum CodingKeys: String, CodingKey {
        case name
        case tags = "dist-tags"
        case versions
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        tags = try container.decodeIfPresent([String: String].self, forKey: .tags) ?? [:]
        versions = try container.decodeIfPresent([String: Release].self, forKey: .versions) ?? [:]
    }

    /// The version that a range or a tag stands for: npm's choice, which is `latest` where the range has it.
    func version(for wanted: String, of name: PackName) throws(PackError) -> String {
        if let tagged = tags[wanted] {
            guard versions[tagged] != nil else { throw missing("\(wanted) is \(tagged), which does not exist", name) }
            return tagged
        }
        if wanted == "latest", let newest = highest(in: .any) { return newest }
        guard let range = VersionRange(wanted) else {
            let known = tags.keys.sorted().joined(separator: ", ")
            throw missing(
                "\(wanted.quoted) is not a version range or a tag (\(known.isEmpty ? "no tags" : known))", name)
        }
        if let latest = tags["latest"], versions[latest] != nil, let version = SemanticVersion(latest),
            range.contains(version)
        {
            return latest
        }
        guard let found = highest(in: range) else {
            let newest = versions.keys.compactMap { SemanticVersion($0) }.sorted().suffix(3).map(\.description)
            throw missing(
                "no version matches \(wanted) (it has \(newest.isEmpty ? "none" : newest.joined(separator: ", ")))",
                name)
        }
        return found
    }

    private func highest(in range: VersionRange) -> String? {
        // One that its author takes back is the last choice.
        let known = versions.compactMap { text, release in
            SemanticVersion(text).map { (text, $0, release.deprecated?.reason != nil) }
        }
        for isDeprecated in [false, true] {
            if let best = range.highest(of: known.filter { $0.2 == isDeprecated }.map(\.1)) {
                return known.first { $0.1 == best }?.0
            }
        }
        return nil
    }

    private func missing(_ reason: String, _ name: PackName) -> PackError {
        PackError(
            .version, "\(name): \(reason)", subject: name.description, hint: .inspectPack(name.description))
    }
}

/// When a registry says that versions were published: the long form of a packument.
struct PublicationTimes: Decodable {
    /// A time; where everything was taken back there is an object.
    struct Time: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            // Another type than a string is no time.
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }

    let time: [String: Time]?
}

/// The keys a registry signs with: `/-/npm/v1/keys`.
struct RegistryKeys: Decodable {
    struct Key: Decodable {
        let keyid: String
        let keytype: String?
        let scheme: String?
        let key: String
        let expires: String?
    }

    let keys: [Key]

    /// Checks the registry's signature of a release: ECDSA over P-256 and SHA-256 of `name@version:integrity`.
    ///
    /// Returns the key. A registry that has keys signs everything, so that nothing unsigned passes.
    func check(
        _ signatures: [Packument.Signature], of name: PackName, version: String, integrity: String
    ) throws(PackError) -> Key {
        let subject = "\(name)@\(version)"
        let usable = keys.filter { $0.keytype.map { $0 == "ecdsa-sha2-nistp256" } ?? true }
        guard
            let (signature, key) = signatures.lazy.compactMap({ signature in
                usable.first { $0.keyid == signature.keyid }.map { (signature, $0) }
            }).first
        else {
            let found =
                signatures.isEmpty
                ? "no signature" : "a signature of the unknown key \(signatures[0].keyid.quoted)"
            throw PackError(
                .signature, "the registry signs its packages, but sent \(found) for \(subject)", subject: subject,
                hint: "do not install it; report it to the registry")
        }
        // CryptoKit says no more of a key or a signature than that it cannot be parsed.
        guard let keyBytes = Data(base64Encoded: key.key),
            let publicKey = try? P256.Signing.PublicKey(derRepresentation: keyBytes)
        else { throw PackError(.signature, "could not read the registry's key \(key.keyid)", subject: subject) }
        guard let bytes = Data(base64Encoded: signature.sig),
            let parsed = try? P256.Signing.ECDSASignature(derRepresentation: bytes),
            publicKey.isValidSignature(parsed, for: Data("\(name)@\(version):\(integrity)".utf8))
        else {
            throw PackError(
                .signature, "the registry's signature of \(subject) does not match its content", subject: subject,
                hint: "do not install it: it may have been changed in transit")
        }
        return key
    }
}
