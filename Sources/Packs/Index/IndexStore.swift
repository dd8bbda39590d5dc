import FoundationEssentials
import ProviderModel
import ProviderRuntime

/// The indexes that the user trusts as they were last fetched: searches and notices read them without the network.
package struct IndexStore: Sendable {
    /// An index with its content.
    package struct Entry: Sendable {
        /// The index.
        package let trusted: TrustedIndex
        /// Its content.
        package let content: PackIndex
    }

    /// The indexes that are asked.
    package let trusted: TrustedIndexes
    /// The folder of the copies.
    private let folder: String
    /// The folder of installed packs, which is told what is revoked.
    private let packFolder: String

    /// A store of copies in a folder.
    package init(_ trusted: TrustedIndexes, folder: String, packFolder: String) {
        self.trusted = trusted
        self.folder = folder
        self.packFolder = packFolder
    }

    // MARK: Stored copies

    /// The copies that are there, their signatures checked; one that is not valid counts as not there.
    package var entries: [Entry] { trusted.all.compactMap(stored) }

    /// The copy of an index; nil where there is none that its key has signed.
    package func stored(_ index: TrustedIndex) -> Entry? {
        // A copy that cannot be read is fetched again.
        guard let bytes = try? FileSystem.bytesIfPresent(at: path(of: index), limit: PackIndex.maximumSize),
            let content = try? read(bytes, signature: signatureText(of: index), by: index)
        else { return nil }
        return Entry(trusted: index, content: content)
    }

    /// The newest status of the sources that an index names, as it was last fetched; nil for none.
    package func status(of index: TrustedIndex) -> [UInt8]? {
        guard let place = stored(index)?.content.status, let key = try? statusKey(of: place, index),
            let bytes = try? FileSystem.bytesIfPresent(at: statusPath(of: index), limit: PackIndex.maximumSize),
            let signature = try? PackSignature.read(fileAt: PackSignature.path(forArchiveAt: statusPath(of: index))),
            (try? key.verify(signature, of: bytes)) != nil
        else { return nil }
        return bytes
    }

    private func path(of index: TrustedIndex) -> String { "\(folder)/\(index.name).json" }
    private func statusPath(of index: TrustedIndex) -> String { "\(folder)/\(index.name).status.json" }

    private func signatureText(of index: TrustedIndex) throws(PackError) -> String {
        let path = PackSignature.path(forArchiveAt: path(of: index))
        return String(decoding: try FileSystem.bytes(at: path, limit: 1 << 16), as: UTF8.self)
    }

    private func read(_ bytes: [UInt8], signature: String, by index: TrustedIndex) throws(PackError) -> PackIndex {
        let signature = try PackSignature(parsing: signature)
        guard signature.keyID == (try index.publicKey).id else { throw otherKey(of: index, signature.keyID) }
        try PackIndex.check(bytes, signature, by: try index.publicKey)
        return try PackIndex(parsing: bytes)
    }

    private func otherKey(of index: TrustedIndex, _ found: SigningKeyID) -> PackError {
        PackError(
            .signature,
            "the key of the index \(index.name) has changed: it is signed with \(found) (trusted: \(index.key))",
            subject: index.url, hint: .trustIndexKey(name: index.name, url: index.url))
    }

    // MARK: Fetching

    /// Fetches an index, checks its signature and stores it; an unchanged one is not fetched again.
    ///
    /// - Throws: `PackError` for one that is not there, is signed with another key, or is older than the stored one.
    package func refresh(_ index: TrustedIndex, over network: PackNetwork) async throws -> Entry {
        do { return try await fetch(index, over: network) } catch let error as PackError {
            throw error.subject == nil ? error.about("index \(index.name)") : error
        }
    }

    private func fetch(_ index: TrustedIndex, over network: PackNetwork) async throws -> Entry {
        let url = try index.address
        let text = try await Self.signature(of: url, over: network)
        let stored = stored(index)
        if let stored, (try? signatureText(of: index)) == text {  // an unreadable one is fetched again
            try await refreshStatus(of: stored, over: network)
            return stored
        }
        let bytes = try await network.content(of: url, accept: "application/json, */*", limit: PackIndex.maximumSize)
        let content = try read(bytes, signature: text, by: index)
        guard let made = DateTime(iso8601: content.made) else {
            throw PackError(.index, "made: found \(content.made.quoted) (expected a time such as 2026-11-28T04:00:00Z)")
        }
        // Otherwise whoever stands in between could hide what was revoked since.
        if let before = stored.flatMap({ DateTime(iso8601: $0.content.made) }), made < before {
            throw PackError(
                .index, "it is of \(content.made), older than the stored one of \(stored?.content.made ?? "")",
                subject: "index \(index.name)", hint: "report it to whoever makes the index")
        }
        try store(bytes, signature: text, as: path(of: index))
        let entry = Entry(trusted: index, content: content)
        try writeRevoked()
        try await refreshStatus(of: entry, over: network)
        return entry
    }

    /// Fetches what an index is before it is trusted: its content, and the key that it says it is signed with.
    package static func preview(_ url: WebURL, over network: PackNetwork) async throws -> (PackIndex, PublicKey) {
        let text = try await signature(of: url, over: network)
        let bytes = try await network.content(of: url, accept: "application/json, */*", limit: PackIndex.maximumSize)
        let content = try PackIndex(parsing: bytes)
        let key = try PublicKey(parsing: content.key)
        try PackIndex.check(bytes, try PackSignature(parsing: text), by: key)
        return (content, key)
    }

    private static func signature(of url: WebURL, over network: PackNetwork) async throws -> String {
        let address = try beside(url)
        let bytes = try await network.content(of: address, accept: "text/plain, */*", limit: 1 << 16)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func beside(_ url: WebURL) throws(PackError) -> WebURL {
        let query = url.query.map { "?\($0)" } ?? ""
        return try resolve(PackSignature.path(forArchiveAt: url.origin + url.path) + query, in: url)
    }

    /// A URL that an index gives relative to itself.
    static func resolve(_ reference: String, in url: WebURL) throws(PackError) -> WebURL {
        do throws(InvalidURL) { return try url.resolving(reference) } catch {
            throw PackError(.index, "\(reference.quoted) is not a valid URL: \(error)")
        }
    }

    private func statusKey(of place: PackIndex.StatusPlace, _ index: TrustedIndex) throws(PackError) -> PublicKey {
        try PublicKey(parsing: place.key ?? index.key)
    }

    /// A status that cannot be had costs nothing else: the stored one stays.
    private func refreshStatus(of entry: Entry, over network: PackNetwork) async throws {
        guard let place = entry.content.status else { return }
        let path = statusPath(of: entry.trusted)
        do {
            let url = try Self.resolve(place.url, in: try entry.trusted.address)
            let text = try await Self.signature(of: url, over: network)
            let stored = try FileSystem.bytesIfPresent(at: PackSignature.path(forArchiveAt: path), limit: 1 << 16)
            if stored == Array(text.utf8) { return }
            let bytes = try await network.content(
                of: url, accept: "application/json, */*", limit: PackIndex.maximumSize)
            try statusKey(of: place, entry.trusted).verify(try PackSignature(parsing: text), of: bytes)
            try store(bytes, signature: text, as: path)
        } catch is PackError {}
    }

    private func store(_ bytes: [UInt8], signature: String, as path: String) throws(PackError) {
        try FileSystem.makeFolder(folder)
        // A process that ends in between leaves a copy that its signature does not match, which is fetched again.
        try FileSystem.write(bytes, to: path)
        try FileSystem.write(Array(signature.utf8), to: PackSignature.path(forArchiveAt: path))
    }

    /// Forgets an index.
    package func remove(_ index: TrustedIndex) throws {
        for path in [path(of: index), statusPath(of: index)] {
            FileSystem.remove(path)
            FileSystem.remove(PackSignature.path(forArchiveAt: path))
        }
        try writeRevoked()
    }

    // MARK: Revoked versions

    /// Tells those who run packs what the stored indexes revoke.
    private func writeRevoked() throws {
        let entries = entries.flatMap { index in
            index.content.packs.sorted { $0.key < $1.key }.flatMap { name, pack in
                pack.versions.sorted { $0.key < $1.key }.compactMap { version, entry in
                    entry.revoked.map {
                        RevokedPacks.Entry(
                            name: name, version: version, integrity: entry.integrity, reason: $0,
                            index: index.trusted.name, replacement: pack.latest?.version.description)
                    }
                }
            }
        }
        let revoked = RevokedPacks(entries)
        guard revoked != RevokedPacks(in: packFolder) else { return }
        try FileSystem.makeFolder(packFolder)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        try FileSystem.write(Array(encoder.encode(revoked)), to: "\(packFolder)/\(RevokedPacks.fileName)")
    }
}
