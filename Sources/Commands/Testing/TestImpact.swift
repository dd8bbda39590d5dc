import FoundationEssentials
import ProviderModel
import ProviderTesting

/// What is watched for tests, and what has to run again after a change.
struct TestImpact {
    /// Something to run.
    private struct Target {
        /// The path that runs it.
        let path: String
        /// Its own test file, which alone does not need the rest.
        let testFile: String
        /// Files and folders that change what comes of it.
        let causes: Set<String>
        let folders: Set<String>

        /// Whether a change concerns it: also one within a folder of cassettes, or of a folder that one lies in.
        func isTouched(by change: String) -> Bool {
            causes.contains { $0 == change || change.hasPrefix($0 + "/") || $0.hasPrefix(change + "/") }
        }
    }

    private let targets: [Target]
    /// The folders to watch.
    let folders: Set<String>

    /// Looks at what the paths stand for now.
    init(paths: [String]) {
        var targets: [Target] = []
        var folders: Set<String> = []
        for path in paths {
            let isTest = path.hasSuffix(".test.js")
            let files = isTest ? ProviderExpectations.providers(at: path) : ProviderConformance.files(at: path)
            for file in files {
                let required = RequiredFiles(of: "\(file.id).js", in: file.folder).paths
                let cassettes = file.folder.path(to: "cassettes")
                let testFile = file.folder.path(to: "\(file.id).test.js")
                targets.append(
                    Target(
                        path: isTest ? testFile : file.path, testFile: testFile,
                        causes: required.union([file.path, "\(cassettes)/\(file.id)"]),
                        folders: Set(required.map(Self.folder(of:))).union([
                            file.folder, cassettes, "\(cassettes)/\(file.id)",
                        ])))
            }
            folders.insert(path.hasSuffix(".js") ? Self.folder(of: path) : Self.trimmed(path))
        }
        self.targets = targets
        self.folders = targets.reduce(into: folders) { $0.formUnion($1.folders) }
    }

    /// How many providers are watched.
    var count: Int { targets.count }

    /// Everything there is to run.
    var all: [String] { targets.map(\.path) }

    /// The changes that something runs again for: an editor's own files are not among them.
    func causes(among changes: Set<String>) -> Set<String> {
        changes.filter { change in targets.contains { $0.isTouched(by: change) || $0.testFile == change } }
    }

    /// The paths to run again, in their order.
    func paths(touchedBy changes: Set<String>) -> [String] {
        var found: [String] = []
        for target in targets {
            let isTouched = changes.contains(where: target.isTouched)
            let path = isTouched ? target.path : changes.contains(target.testFile) ? target.testFile : nil
            if let path, !found.contains(path) { found.append(path) }
        }
        return found
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func trimmed(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

/// The modules that a provider's file loads with `require`, and theirs, as far as their names stand in the text.
struct RequiredFiles: Hashable {
    /// Their paths, in the provider's folder.
    private(set) var paths: Set<String> = []

    /// Follows `require` from a file; one that cannot be read requires nothing.
    init(of file: String, in folder: String) {
        var waiting = [file]
        while let next = waiting.popLast() {
            // One that is not there yet requires nothing.
            guard let data = try? Data(contentsOf: URL(filePath: folder.path(to: next))) else { continue }
            for name in Self.names(in: String(decoding: data, as: UTF8.self)) {
                guard let module = Self.resolve(name, from: next),
                    paths.insert(folder.path(to: module)).inserted, paths.count < 64
                else { continue }
                waiting.append(module)
            }
        }
    }

    /// `./theme` of `require('./theme')`.
    static func names(in text: String) -> [String] {
        text.matches(of: /require\(\s*['"`](\.{1,2}\/[^'"`\n]+)['"`]\s*\)/).map { String($0.1) }
    }

    /// `./theme` beside `sites/a.js` is `sites/theme.js`; nil for what leads out of the folder.
    static func resolve(_ name: String, from file: String) -> String? {
        var segments = file.split(separator: "/").dropLast()
        for segment in name.split(separator: "/") where segment != "." {
            if segment == ".." {
                guard segments.popLast() != nil else { return nil }
            } else {
                segments.append(segment)
            }
        }
        let path = segments.joined(separator: "/")
        return path.hasSuffix(".js") ? path : path + ".js"
    }
}
