import Glibc
import ProviderModel

/// The places where providers are installed, in order of precedence: folders, packs, folders that ship with the program.
package struct ProviderDirectory: Sendable {
    /// A provider with the files of the same id that it shadows.
    package struct Entry: Hashable, Sendable {
        /// The file that is used.
        package let file: ProviderFile
        /// Files with the same id and lower precedence.
        package let shadowed: [ProviderFile]
    }

    /// The folders before the packs, nearest first.
    package let folders: [String]
    /// Installed packs, nearest first.
    package let packs: [InstalledPack]
    /// The folders after the packs.
    package let shipped: [String]
    /// Where a provider that is not installed can be had.
    private let offer: @Sendable (String) -> Hint?

    /// A directory over folders; one that does not exist is empty.
    package init(
        folders: [String], packs: [InstalledPack] = [], shipped: [String] = [],
        offer: @escaping @Sendable (String) -> Hint? = { _ in nil }
    ) {
        self.folders = folders
        self.packs = packs
        self.shipped = shipped
        self.offer = offer
    }

    /// Every provider, by id.
    package func entries() -> [Entry] {
        var files: [ProviderID: [ProviderFile]] = [:]
        func add(_ folder: String) {
            for id in Self.scripts(in: folder).compactMap(ProviderID.init) {
                files[id, default: []].append(ProviderFile(id: id, folder: folder))
            }
        }
        folders.forEach(add)
        for file in packs.flatMap(\.files.values) { files[file.id, default: []].append(file) }
        shipped.forEach(add)
        return files.sorted { $0.key < $1.key }.compactMap { Self.entry(of: $0.value) }
    }

    /// The files in the folders whose names are not ids.
    package func misnamed() -> [String] {
        folders.flatMap { folder in
            Self.scripts(in: folder)
                .filter { ProviderID($0) == nil && !$0.isEmpty && !$0.hasPrefix(".") && !$0.hasSuffix(".test") }
                .sorted().map { folder.path(to: "\($0).js") }
        }
    }

    /// The nearest of these files, which shadows the others; a folder may be there by two names.
    private static func entry(of files: [ProviderFile]) -> Entry? {
        guard let nearest = files.first else { return nil }
        guard files.count > 1 else { return Entry(file: nearest, shadowed: []) }
        let place = realPath(of: nearest.path)
        return Entry(file: nearest, shadowed: files.dropFirst().filter { realPath(of: $0.path) != place })
    }

    /// The path itself where it leads nowhere.
    private static func realPath(of path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Looks up a provider; the error lists similar ids.
    package func entry(named name: String) throws(ProviderError) -> Entry {
        // Looked up by path, so that one search does not list every folder.
        if let id = ProviderID(name) {
            let near = folders.map { ProviderFile(id: id, folder: $0) }.filter { access($0.path, F_OK) == 0 }
            let far = shipped.map { ProviderFile(id: id, folder: $0) }.filter { access($0.path, F_OK) == 0 }
            // What a lockfile names and is missing was reported when the file was read.
            let files = near + packs.compactMap { $0.files[id] } + far
            if let entry = Self.entry(of: files) { return entry }
        }
        let known = entries().map(\.file.id.description)
        let offered = ProviderID(name).flatMap { offer($0.description) }
        guard offered != nil || !known.isEmpty || !misnamed().isEmpty else {
            let places = (folders + shipped).joined(separator: ", ")
            throw ProviderError(.provider, provider: "", message: "no providers found in \(places)")
        }
        throw ProviderError(
            .provider, provider: "", message: "unknown provider \"\(name.prefix(80))\"\(correction(of: name, known))",
            hint: offered ?? .listProviders)
    }

    /// The most similar id to an unknown one.
    private func correction(of name: String, _ known: [String]) -> String {
        if let file = misnamed().first(where: { $0.hasSuffix("/\(name).js") }) {
            return ": \(file) is not used (\(ProviderID.fileNaming))"
        }
        return name.contains(",") ? " (expected one name)" : name.suggestion(among: known + ["all"])
    }

    /// The names of a folder's scripts, without their ending; not of the themes that providers share.
    private static func scripts(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard entry.pointee.d_type != DT_DIR, name.hasSuffix(".js"), !name.hasSuffix("-theme.js") else { continue }
            names.append(String(name.dropLast(3)))
        }
        return names
    }
}
