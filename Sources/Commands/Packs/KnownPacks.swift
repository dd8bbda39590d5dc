import CBuild
import Glibc
import HTTPTransport
import ImgScript
import Packs
import ProviderRuntime

/// What is known on this machine of packs that are not installed, and of newer versions of those that are.
struct KnownPacks {
    private let settings: ImageEngine.Configuration
    /// The trusted indexes.
    let store: IndexStore
    /// The core pack as it ships with the program.
    let shipped: ShippedCore

    /// The indexes and packs of an environment.
    init(_ settings: ImageEngine.Configuration) throws(PackError) {
        self.settings = settings
        let key = Self.built("IMGSCRIPT_CORE_KEY", cbuild_core_key(), settings)
        let trusted = try TrustedIndexes(
            in: settings.configurationFolder,
            builtIn: .builtIn(url: Self.built("IMGSCRIPT_INDEX", cbuild_index(), settings), key: key))
        store = IndexStore(trusted, folder: "\(settings.stateFolder)/indexes", packFolder: settings.packFolder)
        shipped = ShippedCore(
            in: settings.shippedFolders, key: key.isEmpty ? nil : try PublicKey(parsing: key))
    }

    /// A value that the program is built with, unless the environment has another, for builds of one's own.
    private static func built(
        _ variable: String, _ value: UnsafePointer<CChar>, _ settings: ImageEngine.Configuration
    ) -> String {
        settings.environment[variable] ?? String(cString: value)
    }

    // MARK: What is installed

    /// A pack in use, with the newest version that an index has.
    struct Update {
        /// The pack's name.
        let name: String
        /// The version in use.
        let version: String
        /// The newer version.
        let newest: IndexStore.Found
    }

    /// The user's own lockfile.
    var userLockfile: String? { settings.lockfiles.last }

    /// The version of the core pack that is in use, and whether it is the shipped one; nil where there is none.
    func core(_ lock: Lockfile) -> (version: String, isShipped: Bool)? {
        let installed = lock.packs[CorePack.name]?.version
        guard let own = shipped.pack?.version else { return installed.map { ($0, false) } }
        guard let installed, let version = SemanticVersion(installed), version > own else {
            return (own.description, true)
        }
        return (installed, false)
    }

    /// The source of the core pack: where it was installed from, else the first index that has it; nil for none.
    func coreSource(_ lock: Lockfile) -> String? {
        if let source = lock.packs[CorePack.name]?.source { return source }
        return store.entries.first { $0.content.packs[CorePack.name] != nil }
            .map { "\($0.trusted.name):\(CorePack.name)" }
    }

    /// The packs in use of which an index has a newer version.
    func updates() -> [Update] {
        var versions: [String: String] = [:]
        for path in settings.lockfiles.reversed() {
            // A lockfile that cannot be read is reported where it is used.
            guard let lock = try? Lockfile(path: path) ?? Lockfile() else { continue }
            for (name, pack) in lock.packs { versions[name] = pack.version }
            if path == userLockfile { versions[CorePack.name] = core(lock)?.version }
        }
        return versions.sorted { $0.key < $1.key }.compactMap { name, version in
            store.newest(name, than: version).map { Update(name: name, version: version, newest: $0) }
        }
    }
}

extension ImageEngine.Configuration {
    /// Lets errors name packs that have what is missing, and newer versions of packs that fail.
    mutating func useKnownPacks() {
        let settings = self
        packOffer = { provider in
            // What is wrong with the list of indexes is reported by the commands for packs.
            guard let found = try? KnownPacks(settings).store.packs(withProvider: provider).first else { return nil }
            return .addPack(found.source)
        }
        knownUpdate = { name, version in
            guard let found = try? KnownPacks(settings).store.newest(name, than: version) else { return nil }
            return .updateKnown(pack: name, version: found.version.description)
        }
    }
}

extension IndexStore {
    /// Fetches every trusted index; one that cannot be fetched is told of, and its stored copy stays.
    func refreshAll(over network: PackNetwork, _ status: StatusLine) async throws {
        for index in trusted.all {
            do { _ = try await refresh(index, over: network) } catch let error as PackError {
                status.warning(
                    "could not fetch the index \(index.name): \(error.message)", hint: error.hint?.commandText)
            }
        }
    }
}
