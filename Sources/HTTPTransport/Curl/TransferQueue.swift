/// Who may begin now, and who waits, at each server.
///
/// libcurl could queue by itself (`CURLMOPT_MAX_HOST_CONNECTIONS`, `CURLOPT_PIPEWAIT`), but its waiting transfers use up
/// their deadlines, are woken one at a time, and in some versions not at all until a timer runs out.
struct TransferQueue<Order> {
    /// How many may be under way at a server, by what is known about its connections.
    private enum Limit {
        /// One goes ahead: its connection tells whether the others can share it.
        static var first: Int { 1 }
        /// The streams before the server has said how many it allows: libcurl opens another connection beyond these.
        static var unsettled: Int { 100 }
        /// The streams at a server that speaks HTTP/2.
        ///
        /// Most allow 100 or 128 on a connection (RFC 9113 §6.5.2), and libcurl opens another for the rest.
        static var shared: Int { 128 }
    }

    private struct Server {
        var limit: Int
        var active = 0
        var waiting: [Order] = []
    }

    private let connectionLimit: Int
    private var servers: [String: Server] = [:]

    init(connectionLimit: Int) { self.connectionLimit = max(connectionLimit, 1) }

    /// Takes an order; true when it may begin at once.
    ///
    /// `mayShare` says whether HTTP/2 is possible there.
    mutating func admit(_ order: Order, at origin: String, mayShare: Bool) -> Bool {
        var server = servers[origin] ?? Server(limit: mayShare ? Limit.first : connectionLimit)
        defer { servers[origin] = server }
        guard server.active < server.limit else {
            server.waiting.append(order)
            return false
        }
        server.active += 1
        return true
    }

    /// Notes that there is a connection, and whether others can share it as far as that is known; returns those who
    /// may begin now.
    mutating func connected(to origin: String, sharing: Bool) -> [Order] {
        raiseLimit(of: origin, to: sharing ? max(Limit.unsettled, connectionLimit) : connectionLimit)
        return next(at: origin)
    }

    /// Notes that an active one has ended; returns those who may begin now.
    mutating func finished(at origin: String, sharing: Bool) -> [Order] {
        servers[origin]?.active -= 1
        if sharing { raiseLimit(of: origin, to: Limit.shared) }
        let orders = next(at: origin)
        // Later the connection may be gone, and a crowd must not open one each.
        if servers[origin]?.active == 0 { servers[origin] = nil }
        return orders
    }

    /// Takes out those who wait no longer.
    mutating func remove(where isUnwanted: (Order) -> Bool) -> [Order] {
        var removed: [Order] = []
        for (origin, server) in servers where server.waiting.contains(where: isUnwanted) {
            removed += server.waiting.filter(isUnwanted)
            servers[origin]?.waiting.removeAll(where: isUnwanted)
        }
        return removed
    }

    private mutating func raiseLimit(of origin: String, to limit: Int) {
        guard let known = servers[origin]?.limit, known < limit else { return }
        servers[origin]?.limit = limit
    }

    private mutating func next(at origin: String) -> [Order] {
        guard var server = servers[origin] else { return [] }
        let count = min(max(server.limit - server.active, 0), server.waiting.count)
        let orders = Array(server.waiting.prefix(count))
        server.waiting.removeFirst(count)
        server.active += count
        servers[origin] = server
        return orders
    }
}
