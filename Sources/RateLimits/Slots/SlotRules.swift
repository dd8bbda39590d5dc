import ProviderModel

/// What holds for a request that wants to go.
struct SlotRules: Hashable, Sendable {
    /// The rates declared.
    var rates: [Limits.Rate]
    /// The latest slot that is of use.
    var deadline: Timestamp

    /// How long a slot is remembered: for every window it is in, and until its answer has come.
    var keeping: Duration { rates.map(\.spacing).reduce(.seconds(600), max) }

    /// How long after its slot a request may still go without coming too close to those behind it.
    var lateness: Duration { rates.map(\.margin).min() ?? .seconds(1) }

    /// How long after its slot a request may still go if those behind it wait for as much longer.
    ///
    /// A busy machine may take as long to wake somebody. Who was stopped for longer must not hold up everybody else.
    var pardon: Duration { min(.seconds(2), rates.map(\.spacing).min() ?? .seconds(2)) }
}
