import Glibc
import HTTPTransport
import ImgScript
import Packs
import ProviderRuntime
import ProviderTesting

/// What the pack commands work with, joined once.
struct PackContext {
    let app: AppContext
    let store: PackStore
    /// The lockfiles that count here, the nearest first.
    let lockfiles: [String]
    /// The one that is changed.
    let lockfile: String
    private let registryOption: String?

    /// Joins the parts; the engine's own view of installed packs is left out, since it is what changes.
    init(_ engine: EngineOptions, registry: RegistryOptions? = nil, lockfile: LockfileOptions? = nil) throws {
        var lockfiles: [String] = []
        app = try AppContext(engine) { settings in
            lockfiles = settings.lockfiles
            settings.lockfiles = []
        }
        store = PackStore(folder: app.settings.packFolder)
        self.lockfiles = lockfiles
        self.lockfile =
            (lockfile?.user == true ? lockfiles.last : lockfiles.first) ?? ImageEngine.Configuration.lockfileName
        registryOption = registry?.registry
    }

    /// A client of the registries that `.npmrc` or the option names.
    func registry() throws -> RegistryClient { try registry(try npmConfiguration()) }

    private func npmConfiguration() throws -> NPMConfiguration {
        let home = ImageEngine.Configuration.home(in: app.settings.environment)
        let user = app.settings.environment["NPM_CONFIG_USERCONFIG"] ?? "\(home)/.npmrc"
        let configuration = try NPMConfiguration(files: [".npmrc", user], environment: app.settings.environment)
        for remark in configuration.remarks { app.status.warning(remark) }
        return configuration
    }

    private func registry(_ configuration: NPMConfiguration) throws -> RegistryClient {
        let network = PackNetwork(
            over: try app.engine.packTransport(), allowedHosts: try AllowedHosts(app.settings.allowedHosts))
        return RegistryClient(over: network, settings: try RegistrySettings(configuration, registry: registryOption))
    }

    /// What brings packs of these sources here.
    func installer(for sources: [String]) throws -> PackInstaller {
        PackInstaller(
            store: store, fetcher: try fetcher(for: sources), worker: app.engine.packWorker, lockfile: lockfile)
    }

    /// What fetches packs of these sources; `.npmrc` is read only where it says something about one of them.
    func fetcher(for sources: [String]) throws -> PackFetcher {
        let git = GitProgram(environment: app.settings.environment, certificateFile: app.settings.certificateFile)
        // A source that is none is told of when its turn comes.
        let asksServers = sources.contains { (try? PackSource($0))?.asksServers ?? false }
        return PackFetcher(registry: try registry(asksServers ? npmConfiguration() : NPMConfiguration()), git: git)
    }

    /// A folder for packs that are only looked at.
    func bench() throws -> PackWorkspace { try PackWorkspace.temporary(in: app.settings.environment) }

    /// Where a pack is asked for, as it was typed.
    func source(_ text: String) throws -> PackSource {
        let source = try PackSource(text)
        switch source {
        case .folder, .archive: return source
        case .address, .git, .registry:
            guard app.settings.cacheMode != .offline else {
                throw PackError(.refused, "\(source) is not on this machine, and --offline lets nothing leave it")
            }
            if case .registry = source, access("\(text)/\(PackManifest.fileName)", F_OK) == 0 {
                app.status.note("asking the registry for \(text); ./\(text) means the folder here")
            }
            return source
        }
    }

    /// The key that an option names: its line, or a file with it.
    func key(_ text: String?) throws -> PublicKey? {
        try text.map { try PublicKey.named($0) }
    }

    /// What a pack shows of itself in the sandbox.
    func checks(of manifest: PackManifest, in folder: String) async throws -> TestReport {
        var conformance = ConformanceSettings()
        conformance.worker = app.settings.worker
        conformance.deadline = app.settings.scriptTimeout
        conformance.memory = app.settings.scriptMemory
        conformance.instance = app.settings.instance
        var expectations = ExpectationSettings()
        expectations.worker = app.settings.worker
        expectations.deadline = app.settings.scriptTimeout
        expectations.memory = app.settings.scriptMemory
        expectations.instance = app.settings.instance
        return try await PackChecks.run(manifest, in: folder, conformance: conformance, expectations: expectations)
    }

    /// How many packs a number is.
    static func count(_ number: Int) -> String { "\(number) \(number == 1 ? "pack" : "packs")" }
}
