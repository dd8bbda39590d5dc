import FoundationEssentials
import ProviderModel

/// An index that the user trusts: its name here, its URL and its key.
package struct TrustedIndex: Codable, Hashable, Sendable {
    /// The name in front of its packs: `anna` of `anna:@anna/boards`.
    package let name: String
    /// The URL of the file.
    package let url: String
    /// The key that it has to be signed with.
    package let key: String

    /// The name of the index that the program is built with.
    package static let builtInName = "imgscript"
    /// What stands in front of a colon elsewhere.
    private static let reserved: Set = [
        "file", "npm", "registry", "github", "gitlab", "bitbucket", "gist", "git", "ssh", "http", "https", "ftp",
    ]

    /// An index; refuses a name that means something else in a source.
    package init(name: String, url: WebURL, key: PublicKey) throws(PackError) {
        guard Self.isName(name) else {
            throw PackError(
                .index, "\(name.quoted) is not a name for an index (expected a–z, 0–9 and \"-\", such as anna)")
        }
        self.name = name
        self.url = url.description
        self.key = key.description
    }

    /// Whether a text can be the name of an index.
    package static func isName(_ text: String) -> Bool {
        !reserved.contains(text) && text.utf8.count <= 40 && text.utf8.first.map { $0 >= 0x61 && $0 <= 0x7a } == true
            && text.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
    }

    /// The index that a program is built with, or an environment names: a URL and a key; nil for none.
    package static func builtIn(url: String, key: String) throws(PackError) -> TrustedIndex? {
        guard !url.isEmpty, !key.isEmpty else { return nil }
        return try TrustedIndex(name: builtInName, url: address(url), key: PublicKey(parsing: key))
    }

    /// The URL of an index, as users type it: that of its folder will do.
    package static func address(_ text: String) throws(PackError) -> WebURL {
        do throws(InvalidURL) {
            return try WebURL(text.hasSuffix("/") ? text + PackIndex.fileName : text)
        } catch {
            throw PackError(.index, "\(text.quoted): \(error) (expected the URL of an \(PackIndex.fileName))")
        }
    }

    /// The URL, parsed.
    var address: WebURL { get throws(PackError) { try Self.address(url) } }
    /// The key, parsed.
    var publicKey: PublicKey { get throws(PackError) { try PublicKey(parsing: key) } }
}

/// The indexes that the user trusts, in a file of the configuration folder, and the one that the program is built with.
package struct TrustedIndexes: Sendable {
    /// The file's name.
    package static let fileName = "indexes.json"

    private struct File: Codable {
        var indexes: [TrustedIndex]
    }

    private let path: String
    /// The index of the program; one of the same name in the file takes its place.
    private let builtIn: TrustedIndex?
    private var own: [TrustedIndex]

    /// Reads the file of a configuration folder, which need not exist.
    package init(in folder: String, builtIn: TrustedIndex?) throws(PackError) {
        path = "\(folder)/\(Self.fileName)"
        self.builtIn = builtIn
        own = []
        guard let bytes = try FileSystem.bytesIfPresent(at: path, limit: 1 << 20) else { return }
        do { own = try JSONDecoder().decode(File.self, from: Data(bytes)).indexes } catch {
            throw PackError(
                .index, "\(path) is not a list of indexes", hint: "remove it, and add the indexes again", cause: error)
        }
        if let bad = own.first(where: {
            !TrustedIndex.isName($0.name) || (try? $0.address) == nil || (try? $0.publicKey) == nil
        }) {
            throw PackError(
                .index, "\(path): \(bad.name.quoted) has no valid name, URL or key",
                hint: "remove it, and add the indexes again")
        }
    }

    /// The indexes, in the order they are asked.
    package var all: [TrustedIndex] {
        (builtIn.map { index in own.contains { $0.name == index.name } ? [] : [index] } ?? []) + own
    }

    /// Whether an index is the one that the program is built with.
    package func isBuiltIn(_ index: TrustedIndex) -> Bool { index == builtIn }

    /// The index of a name.
    package func index(named name: String) throws(PackError) -> TrustedIndex {
        if let index = all.first(where: { $0.name == name }) { return index }
        let names = all.map(\.name)
        throw PackError(
            .index,
            "unknown index \(name.quoted)\(name.suggestion(among: names, expected: names.isEmpty ? nil : names.joined(separator: ", ")))",
            hint: .addIndex(name))
    }

    /// Adds an index, in place of one of its name, and writes the file.
    package mutating func add(_ index: TrustedIndex) throws(PackError) {
        own.removeAll { $0.name == index.name }
        own.append(index)
        try write()
    }

    /// Removes an index, and writes the file.
    package mutating func remove(_ name: String) throws(PackError) {
        let index = try index(named: name)
        guard own.contains(index) else {
            throw PackError(.index, "\(name) is the index of the program itself", hint: .addIndex(name))
        }
        own.removeAll { $0.name == name }
        try write()
    }

    private func write() throws(PackError) {
        try FileSystem.makeFolder(FileSystem.parent(of: path))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        let data: Data
        do { data = try encoder.encode(File(indexes: own)) } catch {
            throw PackError(.index, "could not write \(path): \(error)")
        }
        try FileSystem.write(Array(data) + Array("\n".utf8), to: path)
    }
}
