/// Detects a transfer that has stalled, or is too slow.
///
/// libcurl's own limit (`CURLOPT_LOW_SPEED_TIME`) averages over five seconds, and counts the time before a response begins
/// and the time in which a sink is paused.
struct StallDetector {
    /// Why a transfer is ended.
    enum Fault: Hashable {
        /// No byte has arrived for this time.
        case stalled(Duration)
        /// The number of bytes that arrived in this time.
        case slow(bytes: Int, in: Duration)
    }

    private let stallTimeout: Duration
    private let minimumSpeed: Int
    private let minimumSpeedTime: Duration
    /// When something last moved; nil while queueing, connecting or paused, where other limits hold.
    private var lastProgress: ContinuousClock.Instant?
    /// When the speed began to be measured; nil before the body has begun.
    private var measuredSince: ContinuousClock.Instant?
    private var measuredBytes = 0

    /// A detector with the limits of a transport, and of one request's connection.
    init(_ settings: TransportSettings, stallTimeout: Duration) {
        self.stallTimeout = stallTimeout
        minimumSpeed = settings.minimumSpeed
        minimumSpeedTime = settings.minimumSpeedTime
    }

    /// Whether the request has gone out.
    private(set) var hasBegun = false

    /// The earliest time of a fault, unless something arrives before.
    var nextCheck: ContinuousClock.Instant? {
        guard let lastProgress else { return nil }
        let stall = lastProgress + stallTimeout
        return measuredSince.map { min($0 + minimumSpeedTime, stall) } ?? stall
    }

    /// Notes that the request went out, or a header line came.
    mutating func progressed(at now: ContinuousClock.Instant) {
        lastProgress = now
        hasBegun = true
    }

    /// Notes bytes of the body.
    mutating func received(_ count: Int, at now: ContinuousClock.Instant) {
        lastProgress = now
        guard minimumSpeed > 0 else { return }
        if measuredSince == nil { measuredSince = now }
        measuredBytes += count
    }

    /// Notes that the sink takes no more for now, which is not the server's fault.
    mutating func paused() {
        lastProgress = nil
        measuredSince = nil
        measuredBytes = 0
    }

    /// What is wrong now; otherwise a new measurement begins where one is over.
    mutating func fault(at now: ContinuousClock.Instant) -> Fault? {
        guard let lastProgress else { return nil }
        if lastProgress + stallTimeout <= now { return .stalled(stallTimeout) }
        guard let measuredSince, measuredSince + minimumSpeedTime <= now else { return nil }
        defer {
            self.measuredSince = now
            measuredBytes = 0
        }
        let wanted = Double(minimumSpeed) * (minimumSpeedTime / .seconds(1))
        return Double(measuredBytes) < wanted ? .slow(bytes: measuredBytes, in: minimumSpeedTime) : nil
    }
}
