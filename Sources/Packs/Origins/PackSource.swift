import Glibc
import ProviderModel

/// Where a pack is asked for, as people type it and lockfiles keep it.
package enum PackSource: Hashable, Sendable, CustomStringConvertible {
    /// A folder with a `package.json`.
    case folder(String)
    /// A `.tgz` file.
    case archive(String)
    /// A `.tgz` on a web server.
    case address(WebURL)
    /// A git repository.
    case git(GitAddress)
    /// A name in a registry, with a version range or a dist-tag.
    case registry(PackName, wanted: String)

    /// Reads what was typed: `./folder`, `pack.tgz`, `https://…/pack.tgz`, `github:anna/boards`, `@anna/boards@^1.2`.
    package init(_ text: String) throws(PackError) {
        if text.isEmpty { throw PackError(.name, "an empty text names no pack", hint: Self.forms) }
        if let git = try GitAddress(text) {
            self = .git(git)
        } else if text.isWebAddress {
            do throws(InvalidURL) { self = .address(try WebURL(text)) } catch {
                // What was typed may hold a password, which is not repeated.
                throw PackError(.name, "expected the address of a pack, found \(error)", hint: Self.forms)
            }
        } else if let scheme = ["registry:", "npm:"].first(where: text.hasPrefix) {
            self = try Self.registry(String(text.dropFirst(scheme.count)))
        } else if let scheme = text.foreignScheme, scheme != "file" {
            throw PackError(
                .name, "the pack's address is one of \(scheme), expected https, git+https or git+ssh",
                hint: "fetch it with another program, and name the file it writes")
        } else if let path = Self.path(text) {
            self = try Self.file(path)
        } else {
            self = try Self.registry(text)
        }
    }

    /// As a lockfile keeps it, and as it is shown: without keys; paths are absolute.
    package var description: String {
        switch self {
        case .folder(let path), .archive(let path): "file:\(Self.absolute(path))"
        case .address(let url): AddressSecrets.masked(url.description)
        case .git(let address): address.description
        case .registry(let name, let wanted): "registry:\(name)@\(wanted)"
        }
    }

    /// As a lockfile keeps it: in a project's, paths lead from the project, so that it can lie anywhere.
    func text(for lockfile: String) -> String {
        switch self {
        case .folder(let path), .archive(let path):
            // The user's own lockfile is named from the root, and is used from anywhere.
            guard !lockfile.hasPrefix("/") else { return description }
            let folder = Self.absolute(StoreFiles.parent(of: lockfile)).split(separator: "/")
            let names = Self.absolute(path).split(separator: "/")
            let shared = zip(folder, names).prefix { $0 == $1 }.count
            let steps = Array(repeating: "..", count: folder.count - shared) + names[shared...].map(String.init)
            return "file:\(steps.isEmpty ? "." : steps.joined(separator: "/"))"
        case .address, .git, .registry: return description
        }
    }

    /// Whether it is asked for as `.npmrc` says, with the keys that stand there.
    package var asksServers: Bool {
        switch self {
        case .address, .registry: true
        case .folder, .archive, .git: false
        }
    }

    /// The names of the keys that its address had, and that were not kept; without them it cannot be asked for.
    var missingKeys: [String] {
        switch self {
        case .address(let url): AddressSecrets.missing(in: url.description)
        case .git(let address): AddressSecrets.missing(in: address.repository)
        case .folder, .archive, .registry: []
        }
    }

    /// The names of the keys in its address, which no lockfile keeps.
    package var unkeptKeys: [String] { AddressSecrets.missing(in: description) }

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
                .file, "\(path) cannot be read: \(String(cString: strerror(errno)))", subject: path,
                hint: "expected a pack's folder, or a file that imgscript pack build or npm pack made")
        }
        return facts.st_mode & S_IFMT == S_IFDIR ? .folder(path) : .archive(path)
    }

    private static func registry(_ text: String) throws(PackError) -> PackSource {
        let at = text.dropFirst().lastIndex(of: "@")
        let name = at.map { String(text[..<$0]) } ?? text
        let wanted = at.map { String(text[text.index(after: $0)...]) } ?? "latest"
        do throws(PackError) {
            return .registry(try PackName(name), wanted: wanted.isEmpty ? "latest" : wanted)
        } catch {
            let isRepository = text.split(separator: "/").count == 2 && !text.hasPrefix("@") && !text.contains(":")
            throw PackError(
                .name, error.message, subject: text,
                hint: access("\(text)/package.json", F_OK) == 0
                    ? "there is a folder of that name: ./\(text) means the folder"
                    : isRepository ? "github:\(text) means the repository there" : forms)
        }
    }

    private static let forms =
        "a pack is a folder (./pack), a .tgz file, an https or git+https address, github:OWNER/NAME, "
        + "or a registry's name such as @anna/boards@^1.2"

    private static func absolute(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
