import ProviderModel

/// The settings of a ``CurlTransport``.
public struct TransportSettings: Sendable {
    /// The `User-Agent` of every request: `imgscript/1.0.0`, to which callers add who they are.
    public var userAgent: String
    /// The timeout for an exchange as a whole.
    public var deadline = Duration.seconds(60)
    /// The slowest speed of a body in bytes per second; 0 for no minimum.
    public var minimumSpeed = 100
    /// How long a body may stay below ``minimumSpeed``; the time before its first byte does not count.
    public var minimumSpeedTime = Duration.seconds(30)
    /// The maximum length of a body in bytes, decompressed.
    public var bodyLimit = 32 << 20
    /// The maximum length of all header lines of a response in bytes.
    public var headerLimit = 256 << 10
    /// The maximum number of connections to one host.
    public var connectionsPerHost = 8
    /// The private hosts that requests may reach.
    public var allowedHosts = AllowedHosts.none
    /// The certificate authorities that are trusted.
    public var trust: TrustStore
    /// Timeouts and proxies.
    public var connection: ConnectionSettings
    /// Timeouts and proxies of single providers' requests.
    public var connections: [ProviderID: ConnectionSettings] = [:]

    /// The shortest time that anything may stall.
    var shortestStallDeadline: Duration {
        connections.values.reduce(connection.stallDeadline) { min($0, $1.stallDeadline) }
    }

    /// The timeouts and proxies of a request.
    func connection(of request: TransportRequest) -> ConnectionSettings {
        connections[request.scope.provider] ?? connection
    }

    /// Creates the default settings, with the proxies and certificates of an environment.
    ///
    /// - Parameters:
    ///   - version: the version in the user agent `imgscript/VERSION`.
    ///   - environment: the variables by name; none for no proxies and the system's certificates.
    public init(version: String, environment: [String: String] = [:]) {
        userAgent = "imgscript/\(version)"
        trust = TrustStore(environment: environment)
        connection = ConnectionSettings(proxies: ProxySettings(environment: environment))
    }
}

/// How connections are made, and how long they are waited for.
public struct ConnectionSettings: Hashable, Sendable {
    /// The timeout for a connection, name lookup and TLS handshake included.
    public var connectDeadline = Duration.seconds(10)
    /// The timeout between two bytes of an exchange, and for its first.
    public var stallDeadline = Duration.seconds(20)
    /// The proxies that are used.
    public var proxies: ProxySettings
}
