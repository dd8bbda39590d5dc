import Crypto
import FoundationEssentials
import HTTPTransport
import HTTPTypes
import ProviderModel

/// A client of npm-compatible registries, as far as packs need one.
package struct RegistryClient: Sendable {
    /// A pack as a search shows it.
    package struct Found: Sendable {
        /// Its name.
        package let name: String
        /// Its newest version.
        package let version: String
        /// One sentence.
        package let summary: String?
        /// Who publishes it.
        package let publisher: String?
    }

    /// A release of a package, with the registry's digest and signatures.
    struct Release {
        let name: PackName
        let version: SemanticVersion
        let registry: WebURL
        let tarball: WebURL
        let integrity: PackIntegrity?
        /// The SHA-1 that old registries have in place of an integrity, in hexadecimal.
        let oldDigest: String?
        let deprecation: String?
        /// The registry's key that signed it; nil where the registry does not sign.
        let registryKey: String?
    }

    private static let packumentLimit = 64 << 20
    /// The short form, which has all that an installation needs.
    private static let packumentTypes = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8"

    let network: PackNetwork
    let settings: RegistrySettings

    /// A client.
    package init(over network: PackNetwork, settings: RegistrySettings) {
        self.network = network
        self.settings = settings
    }

    // MARK: Versions

    /// The release that a range or a tag of a name stands for, in the registry that is named or configured.
    func release(of name: PackName, wanted: String, at url: WebURL? = nil) async throws -> Release {
        let registry = try url ?? settings.registry(of: name)
        let packument = try await packument(of: name, in: registry)
        let text = try packument.version(for: wanted, of: name)
        guard let release = packument.versions[text], let version = SemanticVersion(text) else {
            throw PackError(
                .version, "the registry lists an invalid version \(text.quoted) of \(name)",
                subject: name.description)
        }
        if let said = release.name, said != name.description { throw Self.mismatch("name", said, name, registry) }
        if let said = release.version, said != text { throw Self.mismatch("version", said, name, registry) }
        let tarball: WebURL
        do throws(InvalidURL) { tarball = try WebURL(release.dist.tarball) } catch {
            throw PackError(
                .registry,
                "the registry has an invalid URL for the tarball of \(name): \(error) (expected an https URL)",
                subject: name.description, hint: "report it to the registry")
        }
        let key = try await checkSignature(of: release, name, text, in: registry)
        return Release(
            name: name, version: version, registry: registry, tarball: tarball,
            integrity: release.dist.integrity.flatMap { PackIntegrity($0) },
            oldDigest: release.dist.shasum, deprecation: release.deprecated?.reason, registryKey: key)
    }

    /// The versions that a range or a tag of a name stands for, and that the registry calls the latest; what it says of the
    /// installed one.
    package func versions(
        of name: PackName, wanted: String, installed: String, at url: WebURL? = nil
    ) async throws -> AvailableVersions {
        let packument = try await packument(of: name, in: try url ?? settings.registry(of: name))
        return AvailableVersions(
            wanted: try packument.version(for: wanted, of: name),
            latest: try packument.version(for: "latest", of: name),
            remark: packument.versions[installed]?.deprecated?.reason.map { "deprecated: \($0)" })
    }

    // MARK: Search

    /// Packs in the default registry that match some words.
    package func search(_ text: String, limit: Int) async throws -> [Found] {
        struct Answer: Decodable {
            struct Object: Decodable { let package: Package }
            struct Package: Decodable {
                let name: String
                let version: String
                let description: String?
                let publisher: Publisher?
            }
            struct Publisher: Decodable { let username: String? }
            let objects: [Object]
        }
        let words = "keywords:imgscript" + (text.isEmpty ? "" : " \(text)")
        let endpoint = try Self.resolve("-/v1/search", in: try settings.defaultRegistry)
        let url: WebURL
        do throws(InvalidURL) { url = try endpoint.appending(query: [("text", words), ("size", "\(limit)")]) } catch {
            throw PackError(.registry, "the search text is too long: \(error)")
        }
        let bytes = try await content(of: url, accept: "application/json")
        let answer: Answer = try decode(bytes, from: url)
        return answer.objects.map {
            Found(
                name: $0.package.name, version: $0.package.version, summary: $0.package.description,
                publisher: $0.package.publisher?.username)
        }
    }

    // MARK: Files

    /// The bytes of a tarball, with the key that `.npmrc` has for its place.
    func tarball(at url: WebURL) async throws -> [UInt8] {
        try await network.content(
            of: url, accept: "application/octet-stream, */*", authorization: settings.authorization(for: url),
            limit: PackArchive.Limits.default.compressed)
    }

    /// The `.minisig` beside a tarball; nil where there is none.
    func signature(beside url: WebURL) async throws -> PackSignature? {
        let place = try Self.resolve(PackSignature.path(forArchiveAt: url.origin + url.path), in: url)
        let query = url.query.map { "?\($0)" } ?? ""
        let address = try Self.resolve(place.description + query, in: url)
        let response = try await network.get(
            address, accept: "text/plain, */*", authorization: settings.authorization(for: address), limit: 64 << 10)
        guard response.status < 500 else { throw PackNetwork.failure(response.status, address, hadKey: false) }
        // Registries answer 404 or 405 to what is no tarball, and some servers a page with 200.
        guard response.status == 200, response.body.starts(with: Array("untrusted comment:".utf8)) else { return nil }
        return try PackSignature(parsing: String(decoding: response.body, as: UTF8.self))
    }

    // MARK: Requests

    private func packument(of name: PackName, in registry: WebURL) async throws -> Packument {
        let url = try Self.resolve(name.registryPath, in: registry)
        let key = settings.authorization(for: url)
        let response = try await network.get(
            url, accept: Self.packumentTypes, authorization: key, limit: Self.packumentLimit)
        guard response.status != 404 else {
            throw PackError(
                .registry, "\(registry.origin) has no pack \(name)", subject: name.description,
                hint: .searchRegistry)
        }
        guard response.status == 200 else { throw PackNetwork.failure(response.status, url, hadKey: key != nil) }
        return try decode(response.body, from: url)
    }

    private func content(of url: WebURL, accept: String) async throws -> [UInt8] {
        try await network.content(
            of: url, accept: accept, authorization: settings.authorization(for: url), limit: Self.packumentLimit)
    }

    // MARK: Checks

    private func checkSignature(
        of release: Packument.Release, _ name: PackName, _ version: String, in registry: WebURL
    ) async throws -> String? {
        let url = try Self.resolve("-/npm/v1/keys", in: registry)
        let response = try await network.get(
            url, accept: "application/json", authorization: settings.authorization(for: url), limit: 1 << 20)
        guard response.status == 200 else {
            guard [400, 404, 405, 501].contains(response.status) else {
                throw PackNetwork.failure(response.status, url, hadKey: settings.authorization(for: url) != nil)
            }
            // A registry that offers no keys does not sign, unless it says that it has signed this.
            guard release.dist.signatures?.isEmpty ?? true else {
                throw PackError(
                    .signature, "\(registry.origin) sent a signature of \(name)@\(version) but not its keys",
                    subject: name.description, hint: "try again later, or report it to the registry")
            }
            return nil
        }
        let keys: RegistryKeys = try decode(response.body, from: url)
        guard !keys.keys.isEmpty else { return nil }
        // What is signed is the digest: leaving that out may not be a way around the signature.
        guard let integrity = release.dist.integrity else {
            throw PackError(
                .signature,
                "\(registry.origin) signs its packages, but sent no digest of \(name)@\(version)",
                subject: name.description, hint: "do not install it; report it to the registry")
        }
        let key = try keys.check(release.dist.signatures ?? [], of: name, version: version, integrity: integrity)
        if let expires = key.expires { try await checkAge(of: name, version, before: expires, in: registry) }
        return key.keyid
    }

    /// A key that has expired is good for what was published before; the times stand in the long form.
    private func checkAge(
        of name: PackName, _ version: String, before expires: String, in registry: WebURL
    ) async throws {
        let url = try Self.resolve(name.registryPath, in: registry)
        let times: PublicationTimes = try decode(try await content(of: url, accept: "application/json"), from: url)
        // Both are ISO 8601 in UTC, whose order is that of their letters.
        guard let published = times.time?[version]?.text, published < expires else {
            throw PackError(
                .signature,
                "\(name)@\(version) is signed with a registry key that expired on \(expires.prefix(10)), "
                    + "and was published "
                    + (times.time?[version]?.text.map { "on \($0.prefix(10))" } ?? "at an unknown time"),
                subject: name.description, hint: "do not install it; report it to the registry")
        }
    }

    private func decode<Value: Decodable>(_ bytes: [UInt8], from url: WebURL) throws(PackError) -> Value {
        do { return try JSONDecoder().decode(Value.self, from: Data(bytes)) } catch {
            throw PackError(
                .registry,
                "\(url.origin)\(url.path) is not a valid response of a registry: "
                    + String(decoding: bytes.prefix(60), as: UTF8.self).quoted,
                subject: AddressSecrets.masked(url.description), hint: "check the URL of the registry",
                cause: error)
        }
    }

    private static func resolve(_ reference: String, in base: WebURL) throws(PackError) -> WebURL {
        do throws(InvalidURL) { return try base.resolving(reference) } catch {
            throw PackError(.registry, "\(reference.quoted) is not a valid URL in \(base.origin)")
        }
    }

    private static func mismatch(_ what: String, _ said: String, _ name: PackName, _ registry: WebURL) -> PackError {
        PackError(
            .identity, "\(registry.origin) sent the wrong \(what) for \(name): \(said.quoted)",
            subject: name.description, hint: "do not install it; report it to the registry")
    }
}

extension RegistryClient.Release {
    /// Checks content against the registry's digest; the returned sentence tells the user where that is weak.
    func check(_ archive: PackArchive) throws(PackError) -> String? {
        if let integrity {
            guard archive.integrity == integrity else {
                throw PackError(
                    .integrity,
                    "\(name) \(version) has the digest \(archive.integrity.short) "
                        + "(expected \(integrity.short), from the registry)",
                    subject: name.description,
                    hint: "do not install it; try again, and report it to the registry if it recurs")
            }
            return nil
        }
        guard let oldDigest else {
            throw PackError(
                .integrity, "could not verify \(name) \(version): the registry has no digest of it",
                subject: name.description, hint: "install its tarball by URL if you trust the network")
        }
        let found = Insecure.SHA1.hash(data: archive.bytes).hexadecimal
        guard found == oldDigest.lowercased() else {
            throw PackError(
                .integrity, "\(name) \(version) has the SHA-1 \(found) (expected \(oldDigest), from the registry)",
                subject: name.description,
                hint: "do not install it; try again, and report it to the registry if it recurs")
        }
        return
            "the registry has only a SHA-1 of \(name) \(version), which can be forged; "
            + "from now on the SHA-512 in the lockfile applies"
    }
}
