import Glibc
import ProviderModel

/// The folders that providers are found in, the nearest first.
package struct ProviderDirectory: Sendable {
    /// A provider with the files of the same id that it hides.
    package struct Entry: Hashable, Sendable {
        /// The file that is used.
        package let file: ProviderFile
        /// Files further away, which are not.
        package let hidden: [ProviderFile]
    }

    /// The folders, nearest first.
    package let folders: [String]

    /// A directory over folders; one that does not exist is empty.
    package init(folders: [String]) { self.folders = folders }

    /// Every provider, by id.
    package func entries() -> [Entry] {
        var files: [ProviderID: [ProviderFile]] = [:]
        for folder in folders {
            for id in Self.ids(in: folder) { files[id, default: []].append(ProviderFile(id: id, folder: folder)) }
        }
        return files.sorted { $0.key < $1.key }.map { Entry(file: $0.value[0], hidden: Array($0.value.dropFirst())) }
    }

    /// The provider of a name; the error says what there is instead.
    package func entry(named name: String) throws(ProviderError) -> Entry {
        // Looked up by path, so that one search does not list every folder.
        if let id = ProviderID(name) {
            let files = folders.map { ProviderFile(id: id, folder: $0) }.filter { access($0.path, F_OK) == 0 }
            if let nearest = files.first { return Entry(file: nearest, hidden: Array(files.dropFirst())) }
        }
        let known = entries().map(\.file.id.description)
        let wanted = name.lowercased()
        let nearest = known.filter { $0.hasPrefix(wanted.prefix(2)) || $0.contains(wanted) }
        let hint = nearest.isEmpty ? known : nearest
        throw ProviderError(
            .provider, provider: name, message: "there is no provider \(name.quoted)",
            advice: known.isEmpty
                ? "no providers were found in \(folders.joined(separator: ", "))"
                : "there are \(hint.prefix(12).joined(separator: ", ")); imgscript providers lists all")
    }

    /// Ids of the provider files of a folder: not tests, not the themes and parts that providers share.
    private static func ids(in folder: String) -> [ProviderID] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var ids: [ProviderID] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard entry.pointee.d_type != DT_DIR, name.hasSuffix(".js"), !name.hasSuffix("-theme.js"),
                let id = ProviderID(String(name.dropLast(3)))
            else { continue }
            ids.append(id)
        }
        return ids
    }
}
