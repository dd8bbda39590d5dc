import ProviderModel
import Search

/// The settings of one provider, which go before those of all.
///
/// ```swift
/// var configuration = ImageEngine.Configuration()
/// var danbooru = ProviderSettings()
/// danbooru.limit = 100
/// danbooru.parameters = ["rating": "safe"]
/// configuration.providers["danbooru"] = danbooru
/// ```
public struct ProviderSettings: Hashable, Sendable {
    /// The maximum number of images, instead of ``SearchOptions/limit``.
    public var limit: Int?
    /// The number of images per request, instead of ``SearchOptions/pageSize``.
    public var pageSize: Int?
    /// The maximum number of pages that are fetched at the same time, instead of ``SearchOptions/pagesInFlight``.
    public var pagesInFlight: Int?
    /// Parameters by name, for calls that do not name the same ones for this provider.
    public var parameters: [String: String] = [:]
    /// Conditions, each instead of the same one of ``SearchOptions/filter``.
    public var filter = ItemFilter()
    /// What connections have, instead of the configuration's.
    public var network = Network()

    /// How requests are sent.
    public struct Network: Hashable, Codable, Sendable {
        /// The timeout for a connection, instead of ``ImageEngine/Configuration/connectTimeout``.
        public var connectTimeout: Duration?
        /// The timeout between two bytes, instead of ``ImageEngine/Configuration/idleTimeout``.
        public var idleTimeout: Duration?
        /// How often a request is sent again, instead of ``ImageEngine/Configuration/retries``.
        public var retries: Int?
        /// The URL of the proxy, instead of ``ImageEngine/Configuration/proxy``.
        public var proxy: String?
        /// The server to use, for software that runs on many, instead of ``ImageEngine/Configuration/instance``.
        public var instance: String?

        /// Creates settings that change nothing.
        public init() {}

        var withoutProxy: Network {
            var network = self
            network.proxy = nil
            return network
        }
    }

    /// Creates settings that change nothing.
    public init() {}

    /// The options of a call with these settings in them.
    func adjusting(_ options: SearchOptions, of provider: String) -> SearchOptions {
        var options = options
        if !options.isOpenEnded, options.range == nil { options.limit = limit ?? options.limit }
        options.pageSize = pageSize ?? options.pageSize
        options.pagesInFlight = pagesInFlight ?? options.pagesInFlight
        options.parametersByProvider[provider, default: [:]].merge(parameters) { given, _ in given }
        options.filter = options.filter.replacing(filter)
        return options
    }
}

extension ImageEngine.Configuration {
    /// The options of a call for each provider that has settings of its own.
    func adjusting(_ options: SearchOptions) -> @Sendable (String) -> SearchOptions {
        let (options, providers) = (answers.adjusting(options), providers)
        return { name in providers[name]?.adjusting(options, of: name) ?? options }
    }
}
