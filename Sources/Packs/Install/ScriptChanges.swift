import ProviderRuntime

/// The providers of a pack whose code differs from another version's.
struct ScriptChanges {
    private let former: [String: ScriptDigest]
    private let next: [String: ScriptDigest]
    private let folder: String
    /// Whether a script that is neither a provider nor a test differs: any provider may load it.
    private let hasChangedModule: Bool

    /// The changes between the scripts of two versions, of which the new one lies in a folder.
    init(from former: [String: ScriptDigest], to next: [String: ScriptDigest], in folder: String) {
        self.former = former
        self.next = next
        self.folder = folder
        hasChangedModule = next.contains { path, digest in !path.hasSuffix(".test.js") && former[path] != digest }
    }

    /// Those of these provider files that differ, or that load modules where one does.
    func changed(of files: [String]) -> Set<String> {
        Set(files.filter { former[$0] == nil || former[$0] != next[$0] || hasChangedModule && loadsModules($0) })
    }

    private func loadsModules(_ file: String) -> Bool {
        // An unreadable one counts as changed.
        guard let bytes = try? FileSystem.bytes(at: "\(folder)/\(file)", limit: 1 << 20) else { return true }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.contains("require('.") || text.contains("require(\".") || text.contains("require(`.")
    }
}
