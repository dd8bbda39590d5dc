import Synchronization

/// The hosts that fail for every file: each of them is not asked for a while, instead of once for each of millions of files.
final class HostFailures: Sendable {
    private struct Host {
        var inARow = 0
        /// When it may be asked again, in seconds since 1970.
        var restsUntil = 0
    }

    /// How many failures in a row are enough.
    static let limit = 50
    /// How long a host rests, in seconds.
    static let rest = 300

    private let now: @Sendable () -> Int
    private let warning: @Sendable (String) -> Void
    private let hosts = Mutex<[String: Host]>([:])

    init(now: @escaping @Sendable () -> Int, warning: @escaping @Sendable (String) -> Void) {
        self.now = now
        self.warning = warning
    }

    /// The failure of a file of this host without a request; nil where the host may be asked.
    func resting(_ name: String) -> DownloadError? {
        let now = now()
        guard let until = hosts.withLock({ $0[name]?.restsUntil }), until > now else { return nil }
        return DownloadError(
            .resting, "\(name) failed \(Self.limit) times in a row, and is not requested for \(until - now) seconds")
    }

    /// Takes in what came of a request to the host.
    func note(_ outcome: FetchStage.Outcome, of name: String) {
        switch outcome {
        case .failed(let error) where error.code == .resting: return
        case .failed(let error) where error.isOfHost: break
        case .cancelled: return
        // Whatever else it answered, it answered.
        case .failed, .fetched, .skipped:
            hosts.withLock { $0[name] = nil }
            return
        }
        let now = now()
        let begins = hosts.withLock { hosts in
            var host = hosts[name] ?? Host()
            host.inARow += 1
            // Those that were under way fail as well. After its rest one failure is enough.
            let begins = host.inARow >= Self.limit && host.restsUntil <= now
            if begins { host.restsUntil = now + Self.rest }
            hosts[name] = host
            return begins
        }
        guard begins else { return }
        warning(
            "\(name) failed \(Self.limit) times in a row: its files are not requested for \(Self.rest / 60) minutes, and "
                + "listed as failed")
    }
}

extension DownloadError {
    /// Whether it says something of the host, rather than of one of its files.
    fileprivate var isOfHost: Bool {
        switch code {
        case .transport, .tls: true
        case .status: status.map { $0 == 429 || $0 >= 500 } ?? false
        default: false
        }
    }
}
