/// Who may be fetched next: hosts take turns, and one that is full does not hold up the others.
struct HostQueues<Order> {
    /// A reference, so that what changes is changed where it lies.
    private final class Lane {
        let host: String
        var controller: JobController?
        var active = 0
        /// Whether its answers share a connection.
        var isShared = false
        var waiting: [Order] = []
        /// Where the waiting begin: taking from an array's front would move all that follow.
        var first = 0

        var count: Int { waiting.count - first }

        init(host: String, controller: JobController?) {
            self.host = host
            self.controller = controller
        }

        /// The first of those that wait, which waits no longer.
        func take() -> Order {
            let order = waiting[first]
            first += 1
            if first > 64, first * 2 > waiting.count {
                waiting.removeFirst(first)
                first = 0
            }
            return order
        }
    }

    private let jobs: QueueSettings.Jobs
    private let perHost: Int
    private var lanes: [String: Lane] = [:]
    /// The lane that was looked up last: many orders are of one host.
    private var last: Lane?
    private var turn: [String] = []
    /// How many are under way on connections of their own, and on shared ones.
    private var active = 0
    private var sharedActive = 0
    private(set) var waiting = 0

    /// How many answers on shared connections count as one on its own: enough that the next are on their way while
    /// the last are being written, also with the few jobs that a controller begins with.
    private var streamsPerJob: Int { jobs == .automatic ? 32 : 16 }
    /// The most answers on shared connections, each of which needs memory.
    private static var sharedLimit: Int { 256 }

    init(jobs: QueueSettings.Jobs, perHost: Int?) {
        self.jobs = jobs
        self.perHost = max(perHost ?? .max, 1)
    }

    /// How many may be under way in all.
    private var limit: Int {
        switch jobs {
        case .fixed(let count): max(count, 1)
        case .automatic: QueueSettings.automaticLimit
        }
    }

    /// Whether there is use for more orders: enough for all the hosts that could take some, and for the next moment.
    var wantsMore: Bool { waiting < 64 || waiting < 256 && active < limit }

    mutating func add(_ order: Order, host: String) {
        let lane = lane(of: host) ?? newLane(host)
        lane.waiting.append(order)
        waiting += 1
    }

    /// The next one that may begin.
    mutating func next() -> Order? {
        guard waiting > 0 else { return nil }
        for (place, host) in turn.enumerated() {
            guard let lane = lane(of: host), lane.count > 0, hasRoom(lane) else { continue }
            lane.active += 1
            if lane.isShared { sharedActive += 1 } else { active += 1 }
            waiting -= 1
            if turn.count > 1 {
                turn.remove(at: place)
                turn.append(host)
            }
            return lane.take()
        }
        return nil
    }

    /// Notes that an order has ended, and what its answer told of the host.
    mutating func ended(host: String, _ counter: DownloadCounter, at now: Duration) {
        guard let lane = lane(of: host) else { return }
        lane.controller?.ended(bytes: counter.bytes, isRefusal: counter.wasRefused, active: lane.active, at: now)
        if lane.isShared { sharedActive -= 1 } else { active -= 1 }
        lane.active -= 1
        if counter.sharesConnection { share(host: host) }
        // What a host's controller has learnt is worth keeping, but not for hosts without end.
        if lanes.count > 1_024, lane.active == 0, lane.count == 0 {
            (lanes[host], last) = (nil, nil)
            turn.removeAll { $0 == host }
        }
    }

    /// Notes that a host's answers share connections; true when that is news.
    @discardableResult
    mutating func share(host: String) -> Bool {
        guard let lane = lane(of: host), !lane.isShared else { return false }
        lane.isShared = true
        active -= lane.active
        sharedActive += lane.active
        return true
    }

    private mutating func lane(of host: String) -> Lane? {
        if let last, last.host == host { return last }
        guard let lane = lanes[host] else { return nil }
        last = lane
        return lane
    }

    private mutating func newLane(_ host: String) -> Lane {
        let lane = Lane(host: host, controller: jobs == .automatic ? JobController() : nil)
        lanes[host] = lane
        turn.append(host)
        return lane
    }

    private func hasRoom(_ lane: Lane) -> Bool {
        // Who wants one file at a time, or so many from a host, means files.
        let factor = lane.isShared && limit > 1 ? streamsPerJob : 1
        let hasTurn = lane.isShared ? sharedActive < min(limit * factor, Self.sharedLimit) : active < limit
        guard hasTurn else { return false }
        let wanted = lane.controller.map { $0.limit * factor } ?? .max
        return lane.active < min(wanted, perHost)
    }

    mutating func removeWaiting() -> [Order] {
        var removed: [Order] = []
        for lane in lanes.values {
            removed += lane.waiting[lane.first...]
            (lane.waiting, lane.first) = ([], 0)
        }
        waiting = 0
        return removed
    }
}
