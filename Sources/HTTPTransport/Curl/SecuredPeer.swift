import ProviderModel

/// Whose certificate is measured: the source's, or that of the proxy on the way to it.
enum SecuredPeer {
    case source(WebURL)
    case proxy(Proxy)

    var isProxy: Bool { if case .proxy = self { true } else { false } }

    /// As it is told of.
    var name: String {
        switch self {
        case .source(let url): url.origin
        case .proxy(let proxy): "the proxy \(proxy)"
        }
    }

    /// The name that its certificate has to be for.
    var host: String {
        switch self {
        case .source(let url): url.host
        case .proxy(let proxy): proxy.host
        }
    }

    /// What it is.
    var kind: String { isProxy ? "proxy" : "server" }

    /// Who renews its certificate.
    var owner: String { isProxy ? "whoever runs the proxy" : "the source" }

    /// What to do about a certificate that is another's.
    var adviceOnAddress: String {
        switch self {
        case .source: "check the address, and that no network login stands between"
        case .proxy(let proxy): "check the name in \(proxy.variable)"
        }
    }

    /// What to do where no secure connection comes about.
    var adviceOnHandshake: String {
        switch self {
        case .source: "check the address and the port"
        case .proxy(let proxy): "check \(proxy.variable): most proxies are reached by http://, also for https"
        }
    }
}
