import HTTPCaching
import ProviderModel

/// The options that `imgscript gallery` and `imgscript serve` pass to the server's program: one JSON text, without secrets.
package struct GalleryOptions: Codable, Sendable {
    /// The clients of the server.
    package enum Audience: Codable, Hashable, Sendable {
        /// The user's browser, which signs in with a link that works once.
        case browser(opens: Bool)
        /// Programs that send the token in this file.
        case programs(tokenFile: String)
    }

    /// The clients of the server.
    package var audience = Audience.browser(opens: true)
    /// The address to listen at.
    package var host = "127.0.0.1"
    /// The port to listen at; 0 for one that is free.
    package var port = 0
    /// Whether the server ends when the port is taken, instead of using a free one.
    package var isPortRequired = true
    /// The port of a gallery whose user names none: an address that stays keeps its cookie and its place in the browser.
    package static let defaultPort = 4_647
    /// The origins whose pages may use the API: `https://app.example.org`.
    package var origins: [String] = []
    /// Further host names of the server, such as a reverse proxy's: `images.example.org`.
    package var names: [String] = []
    /// The initial search text and providers of the page.
    package var text = ""
    package var providers: [String] = []
    /// The folder that images are downloaded to.
    package var downloadFolder = "."
    /// The maximum number of searches at the same time.
    package var maximumSearches = 256
    /// The maximum number of requests at the same time.
    package var maximumRequests = 1_024
    /// Whether requests are logged, too.
    package var isVerbose = false
    /// Whether only errors are logged.
    package var isQuiet = false
    /// A folder with the page's files, to be read at every request instead of those in the program.
    package var pageFolder: String?
    /// The engine's settings.
    package var engine: Engine

    /// Those of an engine's settings that differ from program to program, or come from options.
    package struct Engine: Codable, Sendable {
        package var providerFolders: [String]
        package var shippedFolders: [String]
        package var worker: String
        package var allowedHosts: [String]
        package var certificateFile: String?
        package var scriptSeconds: Double
        package var scriptMemory: Int
        package var maximumRequests: Int
        package var maximumBody: Int
        package var connectSeconds: Double
        package var idleSeconds: Double
        package var retries: Int
        package var contact: String?
        /// How single providers are asked, without their proxies.
        package var networks: [String: ProviderSettings.Network]
        package var parameters: [String: [String: String]]
        package var instance: String?
        package var cache: String
        package var isSample: Bool
        package var cookies: ImageEngine.Configuration.CookieOrigin?
        package var storesCookies: Bool
        package var statusURLs: [String]
    }

    /// Options for an engine with these settings.
    package init(_ settings: ImageEngine.Configuration) {
        var isSample = false
        if case .samples = settings.answers { isSample = true }
        engine = Engine(
            providerFolders: settings.providerFolders, shippedFolders: settings.shippedFolders,
            worker: settings.worker, allowedHosts: settings.allowedHosts, certificateFile: settings.certificateFile,
            scriptSeconds: settings.scriptTimeout / .seconds(1), scriptMemory: settings.scriptMemory,
            maximumRequests: settings.maximumRequests, maximumBody: settings.maximumBody,
            connectSeconds: settings.connectTimeout / .seconds(1), idleSeconds: settings.idleTimeout / .seconds(1),
            retries: settings.retries, contact: settings.contact,
            networks: settings.providers.mapValues { $0.network.withoutProxy },
            parameters: settings.providers.mapValues(\.parameters), instance: settings.instance,
            cache: settings.cacheMode.rawValue, isSample: isSample, cookies: settings.cookies,
            storesCookies: settings.storesCookies, statusURLs: settings.statusURLs)
    }

    /// The variable with the address of a provider's proxy, which may have a password.
    package static func proxyVariable(of provider: String) -> String { "IMGSCRIPT_GALLERY_PROXY_\(provider)" }

    /// The program that serves, beside this one or where it is installed.
    package static func program(in environment: [String: String]) -> String {
        Installation(environment: environment).gallery
    }

    /// The engine's settings in an environment.
    package func configuration(in environment: [String: String]) -> ImageEngine.Configuration {
        var settings = ImageEngine.Configuration(environment: environment)
        settings.providerFolders = engine.providerFolders
        settings.shippedFolders = engine.shippedFolders
        settings.worker = engine.worker
        settings.allowedHosts = engine.allowedHosts
        settings.certificateFile = engine.certificateFile
        settings.scriptTimeout = .seconds(engine.scriptSeconds)
        settings.scriptMemory = engine.scriptMemory
        settings.maximumRequests = engine.maximumRequests
        settings.maximumBody = engine.maximumBody
        settings.connectTimeout = .seconds(engine.connectSeconds)
        settings.idleTimeout = .seconds(engine.idleSeconds)
        settings.retries = engine.retries
        settings.contact = engine.contact
        for (name, network) in engine.networks {
            settings.providers[name, default: ProviderSettings()].network = network
            settings.providers[name]?.network.proxy = environment[Self.proxyVariable(of: name)]
        }
        for (name, parameters) in engine.parameters {
            settings.providers[name, default: ProviderSettings()].parameters = parameters
        }
        settings.instance = engine.instance
        settings.cacheMode = CacheMode(rawValue: engine.cache) ?? .default
        settings.cookies = engine.cookies
        settings.storesCookies = engine.storesCookies
        settings.statusURLs = engine.statusURLs
        settings.answers = engine.isSample ? .samples : .live
        return settings
    }
}
