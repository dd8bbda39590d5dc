import BrowserCookies
import FoundationEssentials
import Glibc
public import HTTPCaching
public import HTTPTransport
public import Logging
import ProviderModel
import ProviderRuntime
import Search

extension ImageEngine {
    /// The settings of an engine: folders, cache, network, limits and callbacks.
    public struct Configuration: Sendable {
        /// The name that stands for every installed provider.
        public static let allProviders = "all"

        /// Where responses come from.
        public enum Answers: Sendable {
            /// From the sources.
            case live
            /// From the samples beside each provider; no request is sent.
            case samples
            /// From nowhere: each request is posted as ``Notice/request(provider:text:)``, and the call ends with
            /// ``EngineError/Code/dryRun``.
            case dryRun
        }

        /// Where cookies come from; only those of a provider's `hosts` are read.
        public enum CookieOrigin: Hashable, Codable, Sendable {
            /// A file: `cookies.txt` in the Netscape format, or a JSON array.
            case file(String)
            /// A browser on this machine, one of ``browsers``, the name or folder of its profile, nil for the usual one, and
            /// the name of Firefox's container, nil for the cookies in none.
            case browser(String, profile: String?, container: String? = nil)

            /// The browsers whose cookies can be read: `firefox`, `chromium` and others.
            public static var browsers: [String] { Browser.allCases.map(\.rawValue) }

            /// A browser as it is written in one word: `firefox`, `firefox:profile`, `firefox:profile::container`.
            public init(browser text: String) {
                let place = text.place(of: "::")
                let parts = text[..<(place?.lowerBound ?? text.endIndex)].split(separator: ":", maxSplits: 1)
                let container = place.map { String(text[$0.upperBound...]) }
                self = .browser(
                    parts.first.map(String.init) ?? "", profile: parts.count > 1 ? String(parts[1]) : nil,
                    container: container?.isEmpty == true ? nil : container)
            }
        }

        /// The providers that are used when none is named: ids, groups or `all`.
        public var defaultProviders = ["openverse"]
        /// Groups of providers by name; `@name` stands for the members of one, which are ids or other groups.
        public var providerGroups: [String: [String]] = [:]
        /// The folders with provider files, the nearest first.
        public var providerFolders: [String]
        /// Those of ``providerFolders`` that come after installed packs: the folders that ship with the program.
        public var shippedFolders: [String]
        /// The folder of installed packs.
        public var packFolder: String
        /// The lockfiles that name the packs in use, the nearest first: the project's, if there is one, and the user's.
        public var lockfiles: [String]
        /// The folder with the user's secrets and settings.
        public var configurationFolder: String
        /// The folder for responses, which may be deleted at any time; nil for no cache.
        public var cacheFolder: String?
        /// How stored responses are used.
        public var cacheMode = CacheMode.default
        /// The maximum size of the cache in bytes.
        public var cacheLimit = SQLiteCacheStorage.defaultLimit
        /// The folder for rate limits and resume points.
        public var stateFolder: String
        /// The path of the executable `imgscript-worker`.
        public var worker: String
        /// The maximum time that a script runs without returning, requests excluded.
        public var scriptTimeout = Duration.seconds(2)
        /// The maximum memory of one provider's script in megabytes.
        public var scriptMemory = 256
        /// The maximum number of requests in one operation.
        public var maximumRequests = 200
        /// Whether a page of results with an invalid value fails; otherwise the value or item is left out and posted as
        /// ``Notice/leftOut(provider:faults:)``.
        public var isStrict = false
        /// The maximum length of a response in bytes, decompressed.
        public var maximumBody = 32 << 20
        /// The slowest speed of a response in bytes per second, once it has begun; 0 for no minimum.
        public var minimumSpeed = 100
        /// The maximum number of connections to one host.
        public var connectionsPerHost = 8
        /// The timeout for a connection, name lookup and TLS handshake included.
        public var connectTimeout = Duration.seconds(10)
        /// The timeout between two bytes of a response, and for its first.
        public var idleTimeout = Duration.seconds(20)
        /// How often a request is sent again after a failure that may be temporary.
        public var retries = 3
        /// The URL of the proxy for all requests; nil for those that the environment names.
        ///
        /// The hosts of `no_proxy` are reached directly in both cases.
        public var proxy: String?
        /// Settings of single providers, by their ids; each goes before the one of all providers.
        public var providers: [String: ProviderSettings] = [:]
        /// An e-mail address or URL at which sources can reach the user, for the `User-Agent`; some sources require it.
        public var contact: String?
        /// The addresses of statuses, by others, of which sources are broken; what was fetched from them is used.
        public var statusURLs: [String] = []
        /// The hosts on private networks that requests may reach: `HOST` or `HOST:PORT`.
        public var allowedHosts: [String] = []
        /// The path of a PEM file with certificates that are trusted besides the system's.
        public var certificateFile: String?
        /// The server to use, for software that runs on many: its host or URL.
        public var instance: String?
        /// Where responses come from.
        public var answers = Answers.live
        /// The logger of notices: requests and responses at the level debug, warnings as such.
        public var logger = Logger(label: "imgscript", factory: { _ in SwiftLogNoOpLogHandler() })
        /// Called with what happens beside the results, from any task; not for calls whose ``EngineContext`` has its own.
        public var onNotice: @Sendable (Notice) -> Void = { _ in }
        /// Called for every step of every operation; nil without tracing.
        package var onTrace: (@Sendable (TraceEvent) -> Void)?
        /// Called for a call of a provider that failed, with the requests that were answered.
        package var onFailure: (@Sendable (ProviderError, [(TransportRequest, TransportResponse)]) -> Void)?
        /// Called with every response that a script gets, and its request.
        package var onExchange: (@Sendable (TransportRequest, TransportResponse) -> Void)?
        /// The folder with a folder of cassettes for each provider, which samples come from; nil for those beside the files.
        package var sampleFolder: String?
        /// The pack that has a provider which is not installed, as far as it is known here; nil for none.
        package var packOffer: @Sendable (_ provider: String) -> Hint? = { _ in nil }
        /// A newer version of a pack, as far as it is known here; nil for none.
        package var knownUpdate: @Sendable (_ pack: String, _ version: String) -> Hint? = { _, _ in nil }
        /// Whether stored pages are used without running the script again.
        package var usesKeptResults = true
        /// Where the cookies of the user's logins come from; nil for those that are stored.
        public var cookies: CookieOrigin?
        /// Whether the cookies that servers set are stored in the user's configuration folder, for the next run.
        public var storesCookies = false
        /// The source of secrets; nil for the environment and the user's configuration folder.
        public var secrets: (any SecretSource)?
        /// The environment's variables: secrets, proxies, certificates, folders.
        public var environment: [String: String]

        /// Creates the default configuration for the environment of this process.
        public init() { self.init(environment: ProcessInfo.processInfo.environment) }

        /// Creates the default configuration, with folders by the XDG Base Directory Specification.
        ///
        /// - Parameter environment: the variables by name, such as `HOME`, `XDG_CACHE_HOME` and `IMGSCRIPT_WORKER`.
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

        /// The file name of lockfiles: `imgscript.lock`.
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
            packs = packs.filter { $0.isPresent && !$0.isCore } + packs.filter { $0.isPresent && $0.isCore }
            if let core = CorePack(in: shippedFolders) {
                let (usable, rejections) = core.filtering(packs)
                packs = usable
                for rejection in rejections {
                    let pack = rejection.pack
                    onNotice(
                        .warning(
                            "\(pack.name) \(pack.version) is not used, but the shipped \(core.version): \(rejection.reason)",
                            hint: pack.revocation?.hint ?? .restorePacks))
                }
            }
            return ProviderDirectory(
                folders: providerFolders.filter { !shippedFolders.contains($0) }, packs: packs,
                shipped: providerFolders.filter(shippedFolders.contains), offer: packOffer)
        }

        /// The ids of all installed providers; none of them is loaded.
        public var providerNames: [String] { directory.entries().map(\.file.id.description) }

        /// The user's home folder: `HOME`, else that of the account.
        ///
        /// - Parameter environment: the variables by name.
        /// - Returns: an absolute path; empty where the account has none.
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

        /// The default folder of the cache.
        ///
        /// - Parameter environment: the variables by name.
        /// - Returns: `imgscript` in `XDG_CACHE_HOME`, else in `.cache` of the home folder.
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

// MARK: - Settings of parts

extension ImageEngine.Configuration.Answers {
    func credentials(from store: any SecretSource, cookies: (any CookieSource)?) -> CredentialSource {
        switch self {
        case .live: .user(store, cookies: cookies)
        case .samples: .none
        case .dryRun: .placeholders
        }
    }

    /// Recorded pages have the provider's standard size, and there are only so many; live ones are requested while a script
    /// reads others.
    func adjusting(_ options: SearchOptions) -> SearchOptions {
        var options = options
        options.pagesAhead = 2 * options.pagesInFlight
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
            try settings.trust.checkExtraFile()
            settings.minimumSpeed = minimumSpeed
            settings.connection.connectDeadline = connectTimeout
            settings.connection.stallDeadline = idleTimeout
            if let proxy { settings.connection.proxies.use(proxy) }
            // Whoever waits longer for data waits longer for responses.
            settings.deadline = max(settings.deadline, connectTimeout + idleTimeout)
            for (name, network) in providers.mapValues(\.network) {
                guard let id = ProviderID(name) else { continue }
                var connection = settings.connection
                connection.connectDeadline = network.connectTimeout ?? connection.connectDeadline
                connection.stallDeadline = network.idleTimeout ?? connection.stallDeadline
                if let proxy = network.proxy { connection.proxies.use(proxy) }
                settings.connections[id] = connection
                settings.deadline = max(settings.deadline, connection.connectDeadline + connection.stallDeadline)
            }
            settings.userAgent += " (+\(ImageEngine.homepage)\(contact.map { "; \($0)" } ?? ""))"
            settings.connectionsPerHost = connectionsPerHost
            return settings
        }
    }

    /// The cookies that go before stored ones.
    func cookieSource(
        _ origin: CookieOrigin?, _ notices: NoticeCenter
    ) throws(TransportError) -> (any CookieSource)? {
        switch origin {
        case nil: return nil
        case .file(let path): return try CookieFile(path: path, warning: { notices.post(.warning($0)) })
        case .browser(let name, let profile, let container):
            guard let browser = Browser(rawValue: name) else {
                throw TransportError(
                    .secrets,
                    message: "unknown browser \(name.quoted)"
                        + name.suggestion(
                            among: CookieOrigin.browsers, expected: CookieOrigin.browsers.joined(separator: ", ")))
            }
            return RememberedCookies(
                try BrowserCookies(
                    browser, profile: profile, container: container, home: Self.home(in: environment),
                    environment: environment, warning: { notices.post(.warning($0)) }))
        }
    }

    /// How requests are sent again.
    var retryPolicy: RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = max(0, retries) + 1
        for (name, settings) in providers {
            guard let id = ProviderID(name), let retries = settings.network.retries else { continue }
            policy.attemptsByProvider[id] = max(0, retries) + 1
        }
        return policy
    }

    /// The stored responses; nil where nothing is to be kept.
    func cacheStore(_ notices: NoticeCenter) -> SQLiteCacheStorage? {
        guard let cacheFolder, cacheMode != .bypass else { return nil }
        return SQLiteCacheStorage(folder: cacheFolder, limit: cacheLimit, warning: { notices.post(.warning($0)) })
    }
}

// MARK: - Types of the modules below

/// Gives an engine its keys: a program's own vault instead of files and environment variables.
public typealias SecretSource = HTTPTransport.SecretSource
/// Whose a secret is: a provider, on one server where it runs on many.
public typealias SecretOwner = HTTPTransport.SecretOwner
/// An error of a request.
public typealias TransportError = HTTPTransport.TransportError
/// How stored responses are used.
public typealias CacheMode = HTTPCaching.CacheMode
