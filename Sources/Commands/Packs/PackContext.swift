import FoundationEssentials
import Glibc
import HTTPTransport
import ImgScript
import Packs
import ProviderRuntime
import ProviderTesting

/// What the pack commands work with.
struct PackContext {
    let app: AppContext
    let store: PackStore
    /// The lockfiles that apply here, the nearest first.
    let lockfiles: [String]
    /// The one that commands change.
    private(set) var lockfile: String
    /// The indexes, and the shipped copy of the core pack.
    let known: KnownPacks
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
        var settings = app.settings
        settings.lockfiles = lockfiles
        do { known = try KnownPacks(settings) } catch {
            app.status.error(error)
            throw ExitStatus.failure
        }
    }

    /// The context of the user's own lockfile, which has the core pack.
    var ofUser: PackContext {
        var context = self
        context.lockfile = lockfiles.last ?? lockfile
        return context
    }

    /// The source of the core pack; where none is installed, the first index that has it, for which all are fetched.
    func coreSource() async throws -> String? {
        let lock = try store.lockfile(at: ofUser.lockfile)
        if app.settings.cacheMode != .offline, lock.packs[CorePack.name] == nil {
            try await known.store.refreshAll(over: try network(), app.status)
        }
        return known.coreSource(lock)
    }

    /// The name of a pack as lockfiles have it: `core` is short for the pack that ships.
    static func name(_ text: String) -> String { text == CorePack.shortName ? CorePack.name : text }

    /// The transport to registries, indexes and archives.
    func network() throws -> PackNetwork {
        PackNetwork(over: try app.engine.packTransport(), allowedHosts: try AllowedHosts(app.settings.allowedHosts))
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
        RegistryClient(
            over: try network(), settings: try RegistrySettings(configuration, registry: registryOption))
    }

    /// What installs packs of these sources.
    func installer(for sources: [PackSource]) throws -> PackInstaller {
        PackInstaller(
            store: store, fetcher: try fetcher(for: sources), worker: app.engine.packWorker, lockfile: lockfile,
            core: known.shipped)
    }

    /// What fetches packs of these sources; `.npmrc` is read only where it has a say about one of them.
    func fetcher(for sources: [PackSource]) throws -> PackFetcher {
        let git = GitProgram(environment: app.settings.environment, certificateFile: app.settings.certificateFile)
        let configuration =
            sources.contains(where: \.usesRegistrySettings) ? try npmConfiguration() : NPMConfiguration()
        return PackFetcher(registry: try registry(configuration), git: git, indexes: known.store)
    }

    /// A folder for packs that are only inspected.
    func temporaryWorkspace() throws -> PackWorkspace { try PackWorkspace.temporary(in: app.settings.environment) }

    /// The source that was typed or that a lockfile has; refuses a remote one with `--offline`.
    func source(_ text: String) throws -> PackSource { try allowed(try PackSource(text), text) }

    /// The source that a pack was installed from, in its registry unless an option names another.
    func source(of pack: LockedPack) throws -> PackSource {
        try allowed(
            registryOption == nil ? try PackSource(of: pack) : try PackSource(pack.source), pack.source)
    }

    private func allowed(_ source: PackSource, _ text: String) throws -> PackSource {
        switch source {
        case .folder, .archive: return source
        case .address, .git, .registry, .index:
            guard app.settings.cacheMode != .offline else {
                throw PackError(.refused, "could not fetch \(source): --offline allows no requests")
            }
            if case .registry = source, access("\(text)/\(PackManifest.fileName)", F_OK) == 0 {
                app.status.note("fetching \(text) from the registry; ./\(text) is the folder here")
            }
            return source
        }
    }

    /// The key that an option names: its line, or a file with it.
    func key(_ text: String?) throws -> PublicKey? {
        try text.map { try PublicKey.named($0) }
    }

    /// Runs a pack's checks and tests in the sandbox, or those of the providers in some of its files.
    func checks(of manifest: PackManifest, in folder: String, files: Set<String>? = nil) async throws -> TestReport {
        let manifest = manifest.loading { files?.contains($0) ?? true }
        let report = try await PackChecks.run(manifest, in: folder, settings: TestSettings(app.settings))
        return TestReport(suites: report.suites.map(\.inCommandWords))
    }

    /// A number of packs: `1 pack`, `2 packs`.
    static func count(_ number: Int) -> String { "\(number) \(number == 1 ? "pack" : "packs")" }

    /// Prints lines of results.
    func printLines(_ lines: [String]) throws {
        for line in lines { try app.printLine(line) }
    }
}

/// A pack that is on this machine.
struct LocalPack {
    /// Where its files are.
    let folder: String
    /// Whether they are the author's own, and not what was installed or unpacked.
    let isOwn: Bool
    /// Keeps what was unpacked.
    private let unpacked: PackCandidate?

    init(folder: String, isOwn: Bool, unpacked: PackCandidate? = nil) {
        self.folder = folder
        self.isOwn = isOwn
        self.unpacked = unpacked
    }
}

extension PackContext {
    /// The pack of a name, in a folder or in a `.tgz`, without fetching anything; nil where there is none here.
    func localPack(_ text: String) async throws -> LocalPack? {
        if FileManager.default.fileExists(atPath: "\(text)/\(PackManifest.fileName)") {
            return LocalPack(folder: text, isOwn: true)
        }
        for lockfile in lockfiles {
            guard let locked = try store.lockfile(at: lockfile).packs[text] else { continue }
            guard store.holds(locked, named: text) else {
                throw PackError(
                    .notInstalled, "\(text) \(locked.version) of \(lockfile) is not installed on this machine",
                    hint: "imgscript pack install --frozen installs it")
            }
            return LocalPack(folder: store.path(of: locked, named: text), isOwn: false)
        }
        guard text.hasSuffix(".tgz"), FileManager.default.fileExists(atPath: text) else { return nil }
        let candidate = try await installer(for: []).candidate(from: .archive(text), in: temporaryWorkspace())
        return LocalPack(folder: candidate.content.folder, isOwn: false, unpacked: candidate)
    }
}
