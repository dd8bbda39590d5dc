/// Bytes a second over the last few seconds.
struct SpeedMeter {
    private var samples: [(time: ContinuousClock.Instant, bytes: Int)] = []

    private static let window = Duration.seconds(5)

    /// Takes in how many bytes there are by now; the speed, once that can be said.
    mutating func add(_ bytes: Int, at now: ContinuousClock.Instant) -> Double? {
        samples.append((now, bytes))
        while samples.count > 2, let second = samples.dropFirst().first, now - second.time >= Self.window {
            samples.removeFirst()
        }
        guard let first = samples.first, now - first.time >= .milliseconds(300) else { return nil }
        return max(0, Double(bytes - first.bytes) / ((now - first.time) / .seconds(1)))
    }
}
