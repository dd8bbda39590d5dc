import Packs
import ProviderRuntime
import ProviderTesting

/// The packs among the paths to test, which stand for all of their providers.
struct TestedPacks {
    private var packs: [String: LocalPack] = [:]
    private var files: [String: [ProviderFile]] = [:]

    /// None.
    init() {}

    /// Looks for packs where a path is neither a file nor a folder with providers; nothing is fetched.
    init(among paths: [String], _ engine: EngineOptions) async throws {
        let others = paths.filter { !$0.hasSuffix(".js") && ProviderConformance.files(at: $0).isEmpty }
        guard !others.isEmpty else { return }
        let context = try PackContext(engine)
        for path in others {
            guard let pack = try await context.localPack(path) else { continue }
            packs[path] = pack
            files[path] = try PackManifest.read(folder: pack.folder).providerFiles(in: pack.folder)
        }
    }

    /// The providers that a path stands for.
    func files(at path: String) -> [ProviderFile] { files[path] ?? ProviderConformance.files(at: path) }

    /// Whether what lies there belongs to an installed or packed pack, in which nothing is written.
    func isForeign(_ path: String) -> Bool { packs[path].map { !$0.isOwn } ?? false }
}
