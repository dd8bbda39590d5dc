/// A number that tells which files this very run saw in their places a moment ago: those need not be looked for again.
///
/// Looking for a file that was only just written takes longer than writing down whose it is.
struct SightingMark {
    private(set) var number = Self.anyNumber
    private var since = ContinuousClock.now

    /// How long a file counts as seen; whoever removes it meanwhile finds it credited until the next time.
    private static let term = Duration.seconds(10)

    /// Begins anew when its time is over.
    mutating func renew(at now: ContinuousClock.Instant = .now) {
        if now - since >= Self.term { (number, since) = (Self.anyNumber, now) }
    }

    private static var anyNumber: Int { Int.random(in: 1 ... .max) }
}
