import ProviderModel
import ProviderRuntime

/// The providers an engine has opened, each evaluated once.
actor LoadedProviders {
    private let directory: ProviderDirectory
    private let environment: ScriptProvider.Environment
    private var loading: [String: Task<ScriptProvider, any Error>] = [:]

    init(directory: ProviderDirectory, environment: ScriptProvider.Environment) {
        self.directory = directory
        self.environment = environment
    }

    /// The provider of a name.
    func provider(named name: String) async throws -> ScriptProvider {
        try environment.pool.checkIsOpen(for: name)
        let entry = try directory.entry(named: name)
        let provider = try await provider(for: entry.file)
        try await checkHosts(of: provider, against: entry.shadowed)
        return provider
    }

    /// The provider in a file anywhere.
    func provider(at path: String) async throws -> ScriptProvider { try await provider(for: try Self.file(at: path)) }

    /// The provider in a file anywhere, evaluated anew.
    func reloadedProvider(at path: String) async throws -> ScriptProvider {
        let file = try Self.file(at: path)
        loading[file.path] = nil
        return try await provider(for: file)
    }

    private static func file(at path: String) throws(ProviderError) -> ProviderFile {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard name.hasSuffix(".js"), let id = ProviderID(String(name.dropLast(3))) else {
            throw ProviderError(
                .provider, provider: name,
                message: "\(path.quoted) is not a provider file (expected a name such as newsite.js)")
        }
        return ProviderFile(id: id, folder: folder)
    }

    /// Those of these providers that can be used; one that cannot is reported when it is asked for by name.
    nonisolated func usable(of names: [String]) async -> [ScriptProvider] {
        await withTaskGroup(of: (Int, ScriptProvider?).self) { group in
            for (index, name) in names.enumerated() {
                // Why one is left out is reported when it is requested by name.
                group.addTask { (index, try? await self.provider(named: name)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.compactMap(\.1)
        }
    }

    /// What a list shows of a provider.
    func listing(of entry: ProviderDirectory.Entry) async -> ProviderListing {
        let manifest: Result<ProviderManifest, any Error>
        do { manifest = .success(try await provider(for: entry.file).manifest) } catch { manifest = .failure(error) }
        return ProviderListing(
            id: entry.file.id, path: entry.file.path, pack: pack(of: entry.file).map { "\($0.name) \($0.version)" },
            isShipped: directory.shipped.contains(entry.file.folder), shadowed: entry.shadowed.map(\.path),
            bugs: (try? manifest.get())?.bugs?.description ?? entry.file.bugs, manifest: manifest,
            packVersion: entry.file.pack)
    }

    /// The pack of an installed or shipped file.
    private func pack(of file: ProviderFile) -> (name: String, version: String)? {
        file.installed != nil || directory.shipped.contains(file.folder) ? file.pack : nil
    }

    nonisolated func checkSandbox() async throws(ProviderError) -> [String] {
        try await environment.pool.checkSandbox()
    }

    func close() async { await environment.pool.close() }

    private func provider(for file: ProviderFile) async throws -> ScriptProvider {
        let environment = environment
        let task = loading[file.path] ?? Task { try await ScriptProvider(file, in: environment) }
        loading[file.path] = task
        do { return try await task.value } catch {
            loading[file.path] = nil
            throw error
        }
    }

    /// A file that shadows another of its id gets that one's key, so it may not send it anywhere else.
    private func checkHosts(of provider: ScriptProvider, against shadowed: [ProviderFile]) async throws {
        guard !provider.manifest.authentication.isEmpty, case .user = environment.credentials,
            // Newer versions of shipped ones were reviewed against these when they were installed.
            provider.file.installed?.isCore != true,
            let shipped = shadowed.last, try shipped.source().text != provider.file.source().text
        else { return }
        let known = Set(try await self.provider(for: shipped).manifest.hosts)
        let other = provider.manifest.hosts.filter { !known.contains($0) }
        guard other.isEmpty else {
            throw ProviderError(
                .provider, provider: provider.manifest.id.description,
                message:
                    "\(provider.file.path) shadows \(shipped.path) but would send the key to \(other.map(\.description).joined(separator: ", "))",
                hint: "if you trust the file, give it another id")
        }
    }
}
