import ProviderModel
import Synchronization

/// What the results owe to stored answers: told at the end, where they are old.
final class StoredAnswers: Sendable {
    private let oldest = Mutex<Int?>(nil)

    /// Notes a stored answer that was used past its freshness.
    func addStale(age: Int) { oldest.withLock { $0 = max($0 ?? 0, age) } }

    /// `stale answers, up to 2 days old`; nil when all was fresh.
    var note: String? {
        oldest.withLock(\.self).map { "stale answers, up to \(Duration.seconds($0).inWords) old" }
    }
}
