import Glibc
import ProviderModel
import ProviderRuntime

/// The source of a pack, as users type it and lockfiles store it.
package enum PackSource: Hashable, Sendable, CustomStringConvertible {
    /// A folder with a `package.json`.
    case folder(String)
    /// A `.tgz` file.
    case archive(String)
    /// A `.tgz` on a web server.
    case address(WebURL)
    /// A git repository.
    case git(GitAddress)
    /// A name in a registry, with a version range or a dist-tag; without a URL in the one that `.npmrc` names.
    case registry(PackName, wanted: String, at: WebURL? = nil)
    /// A name in an index that the user trusts, with a version range: `anna:@anna/boards@^1.2`.
    case index(String, PackName, wanted: String)

    /// Reads what was typed: `./folder`, `pack.tgz`, `https://…/pack.tgz`, `github:anna/boards`, `@anna/boards@^1.2`.
    package init(_ text: String) throws(PackError) {
        if text.isEmpty { throw PackError(.name, "empty source (expected a pack)", hint: Self.forms) }
        if let git = try GitAddress(text) {
            self = .git(git)
        } else if text.isWebAddress {
            do throws(InvalidURL) { self = .address(try WebURL(text)) } catch {
                // What was typed may hold a password, which is not repeated.
                throw PackError(.name, "invalid URL: \(error) (expected the URL of a pack)", hint: Self.forms)
            }
        } else if let scheme = ["registry:", "npm:"].first(where: text.hasPrefix) {
            self = try Self.registry(String(text.dropFirst(scheme.count)))
        } else if let source = Self.index(text) {
            self = source
        } else if let scheme = text.foreignScheme, scheme != "file" {
            throw PackError(
                .name, "unsupported URL scheme \(scheme): (expected https, git+https or git+ssh)",
                hint: "download it with another program, and install the file")
        } else if let path = Self.path(text) {
            self = try Self.file(path)
        } else {
            self = try Self.registry(text)
        }
    }

    /// Where an installed pack came from, and where its later versions come from.
    package init(of pack: LockedPack) throws(PackError) {
        self = try PackSource(pack.source)
        guard case .registry(let name, let wanted, _) = self, let text = pack.registry else { return }
        do throws(InvalidURL) { self = .registry(name, wanted: wanted, at: try WebURL(text)) } catch {
            throw PackError(.lockfile, "registry: found \(error) (expected the URL of a registry)")
        }
    }

    /// As it is shown and stored: without keys; paths are absolute.
    package var description: String {
        switch self {
        case .folder(let path), .archive(let path): "file:\(FileSystem.absolute(path))"
        case .address(let url): AddressSecrets.masked(url.description)
        case .git(let address): address.description
        case .registry(let name, let wanted, _): "registry:\(name)@\(wanted)"
        case .index(let index, let name, let wanted): "\(index):\(name)@\(wanted)"
        }
    }

    /// As a lockfile stores it: in a project's, paths lead from the project, so that it can lie anywhere.
    func text(for lockfile: String) -> String {
        switch self {
        case .folder(let path), .archive(let path):
            // The user's own lockfile is named from the root, and is used from anywhere.
            guard !lockfile.hasPrefix("/") else { return description }
            let folder = FileSystem.absolute(FileSystem.parent(of: lockfile)).split(separator: "/")
            let names = FileSystem.absolute(path).split(separator: "/")
            let shared = zip(folder, names).prefix { $0 == $1 }.count
            let steps = Array(repeating: "..", count: folder.count - shared) + names[shared...].map(String.init)
            return "file:\(steps.isEmpty ? "." : steps.joined(separator: "/"))"
        case .address, .git, .registry, .index: return description
        }
    }

    /// Whether `.npmrc` affects how it is fetched.
    package var usesRegistrySettings: Bool {
        switch self {
        case .address, .registry, .index: true
        case .folder, .archive, .git: false
        }
    }

    /// The names of the keys that its address had, and that were not stored; without them it cannot be fetched.
    var missingKeys: [String] {
        switch self {
        case .address(let url): AddressSecrets.missing(in: url.description)
        case .git(let address): AddressSecrets.missing(in: address.repository)
        case .folder, .archive, .registry, .index: []
        }
    }

    /// The names of the keys in its address, which is not stored in lockfiles.
    package var unstoredKeys: [String] { AddressSecrets.missing(in: description) }

    /// Whether it is a folder on this machine, whose content its owner may change without a new version.
    package var isFolder: Bool {
        if case .folder = self { true } else { false }
    }

    private static func path(_ text: String) -> String? {
        if text.hasPrefix("file:") { return String(text.dropFirst("file:".count)) }
        let isPath = text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("../") || text == "." || text == ".."
        return isPath || text.hasSuffix(".tgz") || text.hasSuffix(".tar.gz") ? text : nil
    }

    private static func file(_ path: String) throws(PackError) -> PackSource {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            throw PackError(
                .file, "could not read \(path): \(String(cString: strerror(errno)))", subject: path,
                hint: .several(["a pack is a folder or a .tgz file", .buildPack]))
        }
        return facts.st_mode & S_IFMT == S_IFDIR ? .folder(path) : .archive(path)
    }

    /// A name and what is wanted of it: `@anna/boards@^1.2`.
    package static func parts(of text: String) -> (name: String, wanted: String) {
        let at = text.dropFirst().lastIndex(of: "@")
        let wanted = at.map { String(text[text.index(after: $0)...]) } ?? ""
        return (at.map { String(text[..<$0]) } ?? text, wanted.isEmpty ? "latest" : wanted)
    }

    /// `anna:@anna/boards`; nil for what cannot be a name in an index.
    private static func index(_ text: String) -> PackSource? {
        guard let colon = text.firstIndex(of: ":"), TrustedIndex.isName(String(text[..<colon])) else { return nil }
        let (name, wanted) = parts(of: String(text[text.index(after: colon)...]))
        return (try? PackName(name)).map { .index(String(text[..<colon]), $0, wanted: wanted) }
    }

    private static func registry(_ text: String) throws(PackError) -> PackSource {
        let (name, wanted) = parts(of: text)
        do throws(PackError) {
            return .registry(try PackName(name), wanted: wanted)
        } catch {
            let isRepository = text.split(separator: "/").count == 2 && !text.hasPrefix("@") && !text.contains(":")
            throw PackError(
                .name, error.message, subject: text,
                hint: access("\(text)/package.json", F_OK) == 0
                    ? "./\(text) means the folder of that name"
                    : isRepository ? "github:\(text) means the repository there" : forms)
        }
    }

    private static let forms: Hint =
        """
        a pack is a folder (./pack), a .tgz file, an https or git+https address, github:OWNER/NAME, \
        a registry's name such as @anna/boards@^1.2, or INDEX:NAME
        """
}
