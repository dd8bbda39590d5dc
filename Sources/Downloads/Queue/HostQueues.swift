/// The files that wait, by host: hosts are served round robin, and one that is full does not hold up the others.
struct HostQueues<Element> {
    /// A class, so that a change does not copy those that wait.
    private final class Queue {
        var controller: JobController?
        var active = 0
        /// Whether the host's answers share a connection.
        var isShared = false
        var waiting: [Element] = []
        /// Where the waiting begin: removing from an array's front would move all that follow.
        var first = 0

        var count: Int { waiting.count - first }

        init(controller: JobController?) { self.controller = controller }

        func removeFirst() -> Element {
            defer {
                first += 1
                if first > 64, first * 2 > waiting.count {
                    waiting.removeFirst(first)
                    first = 0
                }
            }
            return waiting[first]
        }
    }

    /// How many at a time; nil for as many as turn out to be best for each host.
    private let jobs: Int?
    private let perHost: Int
    private var queues: [String: Queue] = [:]
    /// The hosts in the order in which they are served next.
    private var order: [String] = []
    /// How many are under way on connections of their own, and on shared ones.
    private var ownActive = 0
    private var sharedActive = 0
    private(set) var waiting = 0

    /// How many answers on shared connections count as one on its own: enough that the next are on their way while
    /// the last are being written, also with the few jobs that a controller begins with.
    private var streamsPerJob: Int { jobs == nil ? 32 : 16 }
    /// The most answers on shared connections, each of which needs memory.
    private static var sharedLimit: Int { 256 }

    init(jobs: Int?, perHost: Int?) {
        self.jobs = jobs.map { max($0, 1) }
        self.perHost = max(perHost ?? .max, 1)
    }

    /// How many may be under way on connections of their own.
    private var limit: Int { jobs ?? DownloadOptions.automaticJobLimit }

    /// How many are under way.
    var active: Int { ownActive + sharedActive }

    /// Whether there is use for more: enough for all the hosts that could take some, and for the next moment.
    var wantsMore: Bool { waiting < 64 || waiting < 256 && ownActive < limit }

    mutating func add(_ element: Element, host: String) {
        if queues[host] == nil {
            queues[host] = Queue(controller: jobs == nil ? JobController() : nil)
            order.append(host)
        }
        queues[host]?.waiting.append(element)
        waiting += 1
    }

    /// The next one that may begin.
    mutating func next() -> Element? {
        guard waiting > 0 else { return nil }
        for (place, host) in order.enumerated() {
            guard let queue = queues[host], queue.count > 0, hasRoom(queue) else { continue }
            queue.active += 1
            if queue.isShared { sharedActive += 1 } else { ownActive += 1 }
            waiting -= 1
            if order.count > 1 {
                order.remove(at: place)
                order.append(host)
            }
            return queue.removeFirst()
        }
        return nil
    }

    /// Ends one, whose answer says something about the host; returns whether more than the next one may begin.
    @discardableResult
    mutating func end(host: String, _ meter: DownloadMeter, at now: Duration) -> Bool {
        guard let queue = queues[host] else { return false }
        let before = queue.controller?.limit ?? 0
        queue.controller?.ended(bytes: meter.bytes, isRefusal: meter.wasRefused, active: queue.active, at: now)
        if queue.isShared { sharedActive -= 1 } else { ownActive -= 1 }
        queue.active -= 1
        let mayBeginMore = meter.sharesConnection && !queue.isShared || queue.controller?.limit ?? 0 > before
        if meter.sharesConnection { share(host: host) }
        // What a host's controller has learnt is worth keeping, but not for hosts without end.
        if queues.count > 1_024, queue.active == 0, queue.count == 0 {
            queues[host] = nil
            order.removeAll { $0 == host }
        }
        return mayBeginMore
    }

    /// Notes that a host's answers share connections.
    mutating func share(host: String) {
        guard let queue = queues[host], !queue.isShared else { return }
        queue.isShared = true
        ownActive -= queue.active
        sharedActive += queue.active
    }

    /// Removes those that wait.
    mutating func removeWaiting() -> [Element] {
        var removed: [Element] = []
        for queue in queues.values {
            removed += queue.waiting[queue.first...]
            (queue.waiting, queue.first) = ([], 0)
        }
        waiting = 0
        return removed
    }

    private func hasRoom(_ queue: Queue) -> Bool {
        // With one job, or a limit per host, the limit counts files, not connections.
        let factor = queue.isShared && limit > 1 ? streamsPerJob : 1
        let isFree = queue.isShared ? sharedActive < min(limit * factor, Self.sharedLimit) : ownActive < limit
        guard isFree else { return false }
        return queue.active < min(queue.controller.map { $0.limit * factor } ?? .max, perHost)
    }
}
