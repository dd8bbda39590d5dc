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

    /// One queue has it, on one thread.
    private final class Server {
        @exclusivity(unchecked) var limit: Int
        @exclusivity(unchecked) var active = 0
        @exclusivity(unchecked) var waiting: [Order] = []

        init(limit: Int) { self.limit = limit }

        /// Lets those begin that may.
        func next() -> [Order] {
            let count = min(max(limit - active, 0), waiting.count)
            guard count > 0 else { return [] }
            defer { waiting.removeFirst(count) }
            active += count
            return Array(waiting.prefix(count))
        }
    }

    private let connectionLimit: Int
    private var servers: [String: Server] = [:]
    /// The server that was looked up last: many requests go to one.
    private var last: (origin: String, server: Server)?

    init(connectionLimit: Int) { self.connectionLimit = max(connectionLimit, 1) }

    /// Takes an order; true when it may begin at once.
    ///
    /// `mayShare` says whether HTTP/2 is possible there.
    mutating func admit(_ order: Order, at origin: String, mayShare: Bool) -> Bool {
        let server = server(at: origin) ?? add(Server(limit: mayShare ? Limit.first : connectionLimit), at: origin)
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
        guard let server = server(at: origin) else { return [] }
        server.limit = max(server.limit, sharing ? max(Limit.unsettled, connectionLimit) : connectionLimit)
        return server.next()
    }

    /// Notes that an active one has ended; returns those who may begin now.
    mutating func finished(at origin: String, sharing: Bool) -> [Order] {
        guard let server = server(at: origin) else { return [] }
        server.active -= 1
        if sharing { server.limit = max(server.limit, Limit.shared) }
        let orders = server.next()
        // Later the connection may be gone, and a crowd must not open one each.
        if server.active == 0 { (servers[origin], last) = (nil, nil) }
        return orders
    }

    /// Takes out those who wait no longer.
    mutating func remove(where isUnwanted: (Order) -> Bool) -> [Order] {
        var removed: [Order] = []
        for server in servers.values where server.waiting.contains(where: isUnwanted) {
            removed += server.waiting.filter(isUnwanted)
            server.waiting.removeAll(where: isUnwanted)
        }
        return removed
    }

    private mutating func server(at origin: String) -> Server? {
        if let last, last.origin == origin { return last.server }
        guard let server = servers[origin] else { return nil }
        last = (origin, server)
        return server
    }

    private mutating func add(_ server: Server, at origin: String) -> Server {
        servers[origin] = server
        last = (origin, server)
        return server
    }
}
