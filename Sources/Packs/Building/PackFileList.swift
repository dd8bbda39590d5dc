import Glibc
import ProviderModel

/// The files of a folder that go into its pack, by npm's rules and some that are stricter.
struct PackFileList {
    /// The included files, in the order they are packed.
    private(set) var paths: [PackPath] = []
    /// Files that are left out although no pattern excludes them: what `files` of the manifest does not list, what may hold a
    /// secret, and what is not a regular file.
    private(set) var leftOut: [String] = []

    private let root: String
    private let chosen: [FilePattern]?

    /// A folder with more files is a mistake: a home folder, a build folder.
    private static let maximumCount = 10_000

    /// Lists a folder; `files` are the patterns of its `package.json`.
    init(folder: String, files: [String]?) throws(PackError) {
        root = folder
        chosen = files.map { $0.compactMap { FilePattern($0, anchored: true) } }
        try walk([], rules: [])
        var set = PackPathSet()
        paths.sort { left, right in
            // The manifest first, where a reader looks for it; then by bytes, which no locale changes.
            let isFirst = (left.description == PackManifest.fileName, right.description == PackManifest.fileName)
            return isFirst.0 != isFirst.1
                ? isFirst.0 : left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
        }
        for path in paths {
            do throws(PackPath.Refusal) { try set.insert(file: path) } catch {
                throw PackError(.files, "the name \(path.description.quoted) \(error.reason)")
            }
        }
        leftOut.sort()
    }

    /// Patterns of an ignore file, with how many folders deep it lies.
    private struct Rules {
        let depth: Int
        let patterns: [FilePattern]
    }

    private mutating func walk(_ folder: [String], rules: [Rules]) throws(PackError) {
        var rules = rules
        // npm: `files` takes the place of the outermost ignore file, not of those further in.
        if !folder.isEmpty || chosen == nil, let patterns = try ignorePatterns(in: folder) {
            rules.append(Rules(depth: folder.count, patterns: patterns))
        }
        for name in try FileSystem.names(in: ([root] + folder).joined(separator: "/")) {
            let path = folder + [name]
            switch try FileSystem.kind(of: ([root] + path).joined(separator: "/")) {
            case .folder where Self.isPackable(folder: name): try walk(path, rules: rules)
            case .folder: continue
            case .file: try add(path, rules: rules)
            case .other: leftOut.append(path.joined(separator: "/"))
            }
        }
    }

    private mutating func add(_ path: [String], rules: [Rules]) throws(PackError) {
        let joined = path.joined(separator: "/")
        guard Self.isPackable(file: path) else {
            if Self.mayHoldSecret(path[path.count - 1]) { leftOut.append(joined) }
            return
        }
        guard isChosen(path, rules: rules) else {
            if !isListed(path) { leftOut.append(joined) }
            return
        }
        guard paths.count < Self.maximumCount else {
            throw PackError(
                .files, "\(root) has more than the maximum of \(Self.maximumCount) files",
                hint: "list the files of the pack in \"files\" of \(PackManifest.fileName)")
        }
        do throws(PackPath.Refusal) { paths.append(try PackPath(joined)) } catch {
            throw PackError(.files, "the name \(joined.quoted) \(error.reason)", hint: "rename it")
        }
    }

    private func isChosen(_ path: [String], rules: [Rules]) -> Bool {
        if path.count == 1, Self.isAlwaysPacked(path[0]) { return true }
        guard isListed(path) else { return false }
        let segments = path.map(Array.init)
        // What a folder keeps out, no folder within can take back.
        return rules.allSatisfy { rule in
            let path = Array(segments[rule.depth...])
            return rule.patterns.last { $0.matches(file: path) }?.isNegated ?? true
        }
    }

    /// Whether `files` of the manifest lists a file; true without such a list.
    private func isListed(_ path: [String]) -> Bool {
        guard let chosen else { return true }
        let segments = path.map(Array.init)
        return chosen.last { $0.matches(file: segments) }?.isNegated == false
    }

    /// npm's own file counts more than git's.
    private func ignorePatterns(in folder: [String]) throws(PackError) -> [FilePattern]? {
        for name in [".npmignore", ".gitignore"] {
            let path = ([root] + folder + [name]).joined(separator: "/")
            guard let bytes = try FileSystem.bytesIfPresent(at: path, limit: 1 << 20) else { continue }
            return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
                .compactMap { FilePattern(line: $0) }
        }
        return nil
    }

    private static func isPackable(folder name: String) -> Bool {
        !name.hasPrefix(".") && name != "node_modules" && name != "CVS"
    }

    private static func isPackable(file path: [String]) -> Bool {
        let name = path[path.count - 1]
        if name.hasPrefix(".") || name.hasSuffix("~") || name.hasSuffix(".orig") || mayHoldSecret(name) { return false }
        guard path.count == 1 else { return true }
        // Packs built into the folder before would go into the next one.
        return name != "npm-debug.log" && !["package-lock.json", "yarn.lock", "pnpm-lock.yaml"].contains(name)
            && !name.hasSuffix(".tgz") && !name.hasSuffix(".tgz.minisig")
    }

    /// Names under which keys and passwords lie.
    private static func mayHoldSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return [".key", ".pem", ".p12", ".pfx"].contains { name.hasSuffix($0) } || name.hasPrefix(".env")
            || name == ".npmrc" || name == ".netrc" || name.hasPrefix("id_rsa") || name.hasPrefix("id_ed25519")
    }

    /// What no pattern keeps out: the manifest, the licence, what is to be read first.
    private static func isAlwaysPacked(_ name: String) -> Bool {
        let name = name.lowercased()
        if name == PackManifest.fileName { return true }
        return ["readme", "license", "licence", "copying"].contains { name == $0 || name.hasPrefix("\($0).") }
    }
}
