/// The transfers that wait for a connection, and the limits for each server.
///
/// libcurl could queue by itself (`CURLMOPT_MAX_HOST_CONNECTIONS`, `CURLOPT_PIPEWAIT`), but its waiting transfers use up
/// their timeouts, are woken one at a time, and in some versions not at all until a timer runs out.
struct TransferQueue<Transfer> {
    private struct Server {
        /// How many transfers may be under way.
        var limit: Int
        var active = 0
        var waiting: [Transfer] = []

        /// Removes and returns the transfers that may begin.
        mutating func next() -> [Transfer] {
            let count = min(max(limit - active, 0), waiting.count)
            guard count > 0 else { return [] }
            defer { waiting.removeFirst(count) }
            active += count
            return Array(waiting.prefix(count))
        }
    }

    /// The streams at an HTTP/2 server.
    ///
    /// Most allow 100 or 128 on a connection (RFC 9113 §6.5.2), and libcurl opens another for the rest.
    private static var streamLimit: Int { 128 }

    private let connectionLimit: Int
    private var servers: [String: Server] = [:]

    init(connectionLimit: Int) { self.connectionLimit = max(connectionLimit, 1) }

    /// Adds a transfer; true when it may begin at once.
    ///
    /// `mayShare` is whether HTTP/2 is possible: then one transfer opens the connection, and the others share it or open their
    /// own.
    mutating func admit(_ transfer: Transfer, at origin: String, mayShare: Bool) -> Bool {
        var server = servers[origin] ?? Server(limit: mayShare ? 1 : connectionLimit)
        defer { servers[origin] = server }
        guard server.active < server.limit else {
            server.waiting.append(transfer)
            return false
        }
        server.active += 1
        return true
    }

    /// Notes that there is a connection, and whether requests are known to share it; returns those that may begin now.
    mutating func connected(to origin: String, isShared: Bool) -> [Transfer] {
        guard var server = servers[origin] else { return [] }
        server.limit = max(server.limit, isShared ? max(Self.streamLimit, connectionLimit) : connectionLimit)
        defer { servers[origin] = server }
        return server.next()
    }

    /// Notes that an active one has ended; returns those that may begin now.
    mutating func finished(at origin: String) -> [Transfer] {
        guard var server = servers[origin] else { return [] }
        server.active -= 1
        let transfers = server.next()
        // Later the connection may be gone, and many at once must not open one each.
        servers[origin] = server.active == 0 ? nil : server
        return transfers
    }

    /// Removes and returns those that wait and match.
    mutating func remove(where isUnwanted: (Transfer) -> Bool) -> [Transfer] {
        var removed: [Transfer] = []
        for (origin, server) in servers where server.waiting.contains(where: isUnwanted) {
            removed += server.waiting.filter(isUnwanted)
            servers[origin]?.waiting.removeAll(where: isUnwanted)
        }
        return removed
    }
}
