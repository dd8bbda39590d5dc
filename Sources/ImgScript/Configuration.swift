import FoundationEssentials
import Glibc
public import HTTPCaching
public import HTTPTransport
public import Logging
import ProviderModel
import ProviderRuntime
import Search

extension ImageEngine {
    /// Where an engine finds things and what it allows.
    public struct Configuration: Sendable {
        /// Stands for every provider there is.
        public static let allProviders = "all"

        /// Where answers come from.
        public enum Answers: Sendable {
            /// The sources themselves.
            case live
            /// The sample answers that ship beside each provider; nothing leaves the machine.
            case samples
            /// Nowhere: each request is posted as a notice, and the listing ends there.
            case dryRun
        }

        /// The providers to ask when none is named: those that need no key.
        public var defaultProviders = ["openverse"]
        /// Folders with provider files, the nearest first.
        public var providerFolders: [String]
        /// Those of them that installed packs come before: what ships with the program.
        public var shippedFolders: [String]
        /// The folder of installed packs.
        public var packFolder: String
        /// The lockfiles that say which packs are used, the nearest first: the project's, where it has providers; the user's.
        public var lockfiles: [String]
        /// The folder with the user's keys and settings.
        public var configurationFolder: String
        /// The folder for what can be had again, answers of sources; nil to keep nothing.
        public var cacheFolder: String?
        /// How stored answers are treated.
        public var cacheMode = CacheMode.default
        /// The most bytes that stored answers may take.
        public var cacheLimit = SQLiteCacheStorage.defaultLimit
        /// The folder for what a later run goes on from: rate limits, long listings.
        public var stateFolder: String
        /// The `imgscript-worker` executable.
        public var worker: String
        /// How long a script may run in one go.
        public var scriptTimeout = Duration.seconds(2)
        /// Megabytes of memory for one provider's script.
        public var scriptMemory = 256
        /// The most requests of one operation.
        public var maximumRequests = 200
        /// Whether a page of results with any fault in it fails; else what it can do without is left out, and posted as
        /// ``Notice/leftOut(provider:faults:)``.
        public var isStrict = false
        /// The most bytes of one answer, decompressed.
        public var maximumBody = 32 << 20
        /// The bytes a second that an answer has to come with once it has begun; 0 for any.
        public var minimumSpeed = 100
        /// The most connections to one host at a time.
        public var connectionsPerHost = 8
        /// Hosts on private networks that requests may go to: `HOST` or `HOST:PORT`.
        public var allowedHosts: [String] = []
        /// A file of certificates trusted besides the system's.
        public var certificateFile: String?
        /// The server to use, for software that runs on many.
        public var instance: String?
        /// Where answers come from.
        public var answers = Answers.live
        /// Where notices are logged: requests and responses at debug level, warnings as such.
        public var logger = Logger(label: "imgscript", factory: { _ in SwiftLogNoOpLogHandler() })
        /// Called for what happens beside the results; not for a search with an `onNotice` of its own.
        public var onNotice: @Sendable (Notice) -> Void = { _ in }
        /// Called for every step of every operation; nil without tracing.
        package var onTrace: (@Sendable (TraceEvent) -> Void)?
        /// Whether pages that are known from the last time are used without running the script again.
        package var usesKeptResults = true
        /// Where keys come from; nil for the environment and the user's configuration folder.
        public var secrets: (any SecretSource)?
        /// The process's environment: keys, proxies, certificates.
        public var environment: [String: String]

        /// The usual folders of this process's user.
        public init() { self.init(environment: ProcessInfo.processInfo.environment) }

        /// The usual folders in an environment.
        public init(environment: [String: String]) {
            self.environment = environment
            configurationFolder = Self.folder("XDG_CONFIG_HOME", else: ".config", environment)
            cacheFolder = Self.cacheFolder(in: environment)
            stateFolder = Self.folder("XDG_STATE_HOME", else: ".local/state", environment)
            let installation = Installation(environment: environment)
            shippedFolders = installation.providerFolders
            providerFolders = ["providers", "\(configurationFolder)/providers"] + shippedFolders
            packFolder = "\(Self.folder("XDG_DATA_HOME", else: ".local/share", environment))/packs"
            lockfiles = ["\(packFolder)/\(Self.lockfileName)"]
            if access("providers", X_OK) == 0 { lockfiles.insert(Self.lockfileName, at: 0) }
            worker = installation.worker
        }

        /// The name of lockfiles.
        public static let lockfileName = Lockfile.fileName

        /// Where providers are found; a lockfile that cannot be used, or a pack that is not there, is reported and left out.
        var directory: ProviderDirectory {
            var packs: [InstalledPack] = []
            for lockfile in lockfiles {
                do {
                    packs += try InstalledPack.all(in: lockfile, packFolder: packFolder)
                } catch { onNotice(.warning("\(error)", hint: error.hint)) }
            }
            for pack in packs where !pack.isPresent {
                onNotice(
                    .warning(
                        "\(pack.name) \(pack.version) of \(pack.lockfile) is not installed on this machine",
                        hint: .restorePacks))
            }
            return ProviderDirectory(
                folders: providerFolders.filter { !shippedFolders.contains($0) }, packs: packs.filter(\.isPresent),
                shipped: providerFolders.filter(shippedFolders.contains))
        }

        /// The names of all providers that can be found; none of them is loaded.
        public var providerNames: [String] { directory.entries().map(\.file.id.description) }

        /// The user's home: the environment's, else that of the account, so that nothing is made in the root folder.
        public static func home(in environment: [String: String]) -> String {
            if let home = environment["HOME"], home.hasPrefix("/") { return home }
            guard let account = getpwuid(getuid())?.pointee.pw_dir else { return "" }
            return String(cString: account)
        }

        /// A folder of ours by the XDG base directory specification, which has relative paths ignored.
        private static func folder(_ variable: String, else standard: String, _ environment: [String: String]) -> String
        {
            let base = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
            return "\(base ?? "\(home(in: environment))/\(standard)")/imgscript"
        }

        /// The usual folder for stored answers in an environment.
        public static func cacheFolder(in environment: [String: String]) -> String {
            folder("XDG_CACHE_HOME", else: ".cache", environment)
        }

        func workerSettings(_ notices: NoticeCenter) -> WorkerSettings {
            var worker = WorkerSettings(executable: worker)
            worker.deadline = scriptTimeout
            worker.memory = scriptMemory
            worker.requests = maximumRequests
            worker.isStrict = isStrict
            worker.log = { line in
                // Workers are identified by their file's path; users know the provider's name, which is the file's.
                let file = line.provider.split(separator: "/").last.map(String.init) ?? line.provider
                let provider = file.hasSuffix(".js") ? String(file.dropLast(3)) : file
                notices.post(.console(provider: provider, level: line.level, text: line.text))
            }
            return worker
        }
    }
}

extension ImageEngine.Configuration.Answers {
    func credentials(from store: any SecretSource) -> CredentialSource {
        switch self {
        case .live: .user(store)
        case .samples: .none
        case .dryRun: .placeholders
        }
    }

    /// Recorded pages have the provider's standard size, and there are only so many.
    func adjusting(_ options: SearchOptions) -> SearchOptions {
        var options = options
        if case .samples = self { options.answersAreRecorded = true }
        return options
    }
}

extension ImageEngine.Configuration {
    var transportSettings: TransportSettings {
        get throws {
            var settings = TransportSettings(version: ImageEngine.version, environment: environment)
            settings.bodyLimit = maximumBody
            settings.allowedHosts = try AllowedHosts(allowedHosts)
            settings.trust.extraFile = certificateFile
            settings.minimumSpeed = minimumSpeed
            settings.connectionsPerHost = connectionsPerHost
            return settings
        }
    }

    /// The stored responses; nil where nothing is to be kept.
    func cacheStore(_ notices: NoticeCenter) -> SQLiteCacheStorage? {
        guard let cacheFolder, cacheMode != .bypass else { return nil }
        return SQLiteCacheStorage(folder: cacheFolder, limit: cacheLimit, warning: { notices.post(.warning($0)) })
    }
}
