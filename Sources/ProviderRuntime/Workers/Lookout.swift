/// Whether it is worth while to keep looking for a reply instead of sleeping until it is there.
///
/// Waking up takes a tenth of the time of a page of 20 items. Where such a page takes longer than it should, worker and host
/// may have been given the same processor, and whoever looks out keeps the other from it; larger pages are slept through.
struct Lookout {
    /// How long to look out: a page of 20 items takes less.
    static let length = Duration.microseconds(600)
    /// How many times are slept through after one in vain.
    private static let pause = 7

    private var sleeps = 0

    /// Whether to look out this time.
    mutating func isWorthwhile() -> Bool {
        sleeps = max(0, sleeps - 1)
        return sleeps == 0
    }

    /// Takes in how long it took this time.
    mutating func note(_ duration: Duration) { if duration >= Self.length { sleeps = Self.pause + 1 } }
}
