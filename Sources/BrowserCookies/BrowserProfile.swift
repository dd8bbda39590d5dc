import Glibc
import ProviderModel

/// A profile of a browser, with a database of cookies.
struct BrowserProfile: Hashable {
    /// The browser's name for it; nil where it has none.
    var name: String?
    /// Its folder.
    let folder: String
    /// The database with its cookies.
    let database: String

    private init(name: String?, folder: String, database: String) {
        (self.name, self.folder, self.database) = (name, folder, database)
    }

    /// A profile; nil where its folder has no cookies.
    init?(name: String?, folder: String) {
        guard let database = Self.database(in: folder) else { return nil }
        self.init(name: name, folder: folder, database: database)
    }

    /// The places of a profile's cookies, the newest first.
    private static let files = ["cookies.sqlite", "Network/Cookies", "Cookies"]

    private static func database(in folder: String) -> String? {
        files.map { "\(folder)/\($0)" }.first { FileStatus($0)?.isFile == true }
    }

    /// The profile in a folder, or whose database is this file; nil where there is none.
    init?(path: String) {
        if FileStatus(path)?.isFile == true {
            let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            self.init(name: nil, folder: folder, database: path)
        } else {
            self.init(name: nil, folder: path)
        }
    }

    /// The folder's own name.
    var folderName: String { folder.split(separator: "/").last.map(String.init) ?? folder }

    /// When the browser wrote cookies last; Firefox writes them into a log beside the database.
    var lastWritten: (Int, Int) {
        ["", "-wal"].compactMap { FileStatus(database + $0)?.modified }.max { $0 < $1 } ?? (0, 0)
    }

    /// Its name in a list.
    var label: String { name.map { $0 == folderName ? $0 : "\($0) (\(folderName))" } ?? folderName }

    /// Whether this is the profile of a name: that of its folder, or what the browser shows.
    func isNamed(_ text: String, exactly: Bool) -> Bool {
        let names = [name, folderName].compactMap(\.self)
        return exactly ? names.contains(text) : names.contains { $0.lowercased() == text.lowercased() }
    }
}

/// Finds a browser's profiles on this machine.
struct BrowserProfiles {
    /// The folders that exist.
    let folders: [String]
    private let engine: Browser.Engine

    init(of browser: Browser, in folders: [String]) {
        self.folders = folders.filter { FileStatus($0)?.isFolder == true }
        engine = browser.engine
    }

    /// All profiles with cookies, by place, those that the browser uses first.
    var all: [BrowserProfile] { folders.flatMap { profiles(in: $0) } }

    /// The profile of a name, or the one that the browser uses: the one written last, where several packages of it have
    /// been used.
    func profile(named name: String?) -> BrowserProfile? {
        var candidates: [BrowserProfile] = []
        for folder in folders {
            let profiles = profiles(in: folder)
            let found =
                if let name {
                    profiles.first { $0.isNamed(name, exactly: true) }
                        ?? BrowserProfile(name: nil, folder: "\(folder)/\(name)")
                        ?? profiles.first { $0.isNamed(name, exactly: false) }
                } else {
                    profiles.first
                }
            if let found { candidates.append(found) }
        }
        // Of equal ones the first, which is the usual place.
        return candidates.reversed().max { $0.lastWritten < $1.lastWritten }
    }

    private func profiles(in folder: String) -> [BrowserProfile] {
        let listed =
            switch engine {
            case .firefox: FirefoxProfiles.listed(in: Self.text(of: "\(folder)/profiles.ini") ?? "")
            case .chromium: ChromiumProfiles.listed(in: Self.text(of: "\(folder)/Local State") ?? "")
            }
        var profiles = listed.compactMap { entry in
            BrowserProfile(name: entry.name, folder: entry.path.hasPrefix("/") ? entry.path : "\(folder)/\(entry.path)")
        }
        // Those that are on no list: the list may be damaged. Opera had its one profile in the folder itself.
        let others = [folder] + Self.names(in: folder).map { "\(folder)/\($0)" }
        for other in others where !profiles.contains(where: { $0.folder == other }) {
            if let profile = BrowserProfile(name: nil, folder: other) { profiles.append(profile) }
        }
        return profiles
    }

    private static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return descriptor.readToEnd(limit: 16 << 20).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// A profile as a browser lists it: its name, and its folder, relative to the list's or absolute.
struct ListedProfile: Hashable {
    var name: String?
    let path: String
}

/// Firefox's list of profiles, `profiles.ini`.
enum FirefoxProfiles {
    /// The profiles that an installation uses, then those marked as default, then the others.
    static func listed(in text: String) -> [ListedProfile] {
        var (installed, marked, others): ([String], [ListedProfile], [ListedProfile]) = ([], [], [])
        for section in sections(of: text) {
            let values = section.values
            if section.name.hasPrefix("Install"), let path = values["Default"] { installed.append(path) }
            guard let path = values["Path"], !path.isEmpty else { continue }
            let profile = ListedProfile(name: values["Name"], path: path)
            if values["Default"] == "1" { marked.append(profile) } else { others.append(profile) }
        }
        let all = marked + others
        let first = installed.map { path in all.first { $0.path == path } ?? ListedProfile(name: nil, path: path) }
        return first + all.filter { !first.contains($0) }
    }

    private static func sections(of text: String) -> [(name: String, values: [String: String])] {
        var sections: [(name: String, values: [String: String])] = []
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                sections.append((String(line.dropFirst().prefix { $0 != "]" }), [:]))
            } else if let equals = line.firstIndex(of: "="), !sections.isEmpty {
                let key = String(line[..<equals])
                if sections[sections.count - 1].values[key] == nil {
                    sections[sections.count - 1].values[key] = String(line[line.index(after: equals)...])
                }
            }
        }
        return sections
    }
}

/// Chromium's list of profiles, in `Local State`.
enum ChromiumProfiles {
    /// The profile that was used last, then the first one, then the others.
    static func listed(in text: String) -> [ListedProfile] {
        let profile = (try? JSONValue(parsing: text.utf8))?["profile"]  // without a list, folders are looked for
        let members = profile?["info_cache"]?.members ?? []
        let named = members.map { ListedProfile(name: $0.value["name"]?.textValue, path: $0.name) }
        let all = named.contains { $0.path == "Default" } ? named : named + [ListedProfile(name: nil, path: "Default")]
        let usual = [profile?["last_used"]?.textValue, "Default"].compactMap(\.self)
        let first = usual.compactMap { path in all.first { $0.path == path } }
        return (first + all).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

/// The facts of a file that finding profiles needs.
private struct FileStatus {
    let isFile: Bool
    let isFolder: Bool
    let modified: (Int, Int)

    /// Nil where there is none.
    init?(_ path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        isFile = facts.st_mode & S_IFMT == S_IFREG
        isFolder = facts.st_mode & S_IFMT == S_IFDIR
        modified = (Int(facts.st_mtim.tv_sec), Int(facts.st_mtim.tv_nsec))
    }
}
