/// How a `CurlTransport` behaves.
public struct TransportSettings: Sendable {
    /// What every request says it comes from: `imgscript/1.0.0`.
    public var userAgent: String
    /// How long connecting may take, name lookup and handshake included.
    public var connectDeadline = Duration.seconds(10)
    /// How long an exchange may take in all.
    public var deadline = Duration.seconds(60)
    /// How long an exchange may go without a byte.
    public var stallDeadline = Duration.seconds(20)
    /// The bytes a second that a body has to come with once it has begun, or it is given up; 0 for any.
    public var minimumSpeed = 100
    /// How long a body may be slower than that: a response that is long in coming is not measured before it begins.
    public var minimumSpeedTime = Duration.seconds(30)
    /// The most bytes a body may have, decompressed.
    public var bodyLimit = 32 << 20
    /// The most bytes the header lines of a response may have.
    public var headerLimit = 256 << 10
    /// The most connections to one host at a time.
    public var connectionsPerHost = 8
    /// The private hosts requests may go to.
    public var allowedHosts = AllowedHosts.none
    /// Whom to trust.
    public var trust: TrustStore
    /// Which proxies to use.
    public var proxies: ProxySettings

    /// The usual behaviour in this environment.
    public init(version: String, environment: [String: String] = [:]) {
        userAgent = "imgscript/\(version)"
        trust = TrustStore(environment: environment)
        proxies = ProxySettings(environment: environment)
    }
}
