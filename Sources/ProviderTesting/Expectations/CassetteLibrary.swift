import ProviderRuntime
import Synchronization

/// A provider's cassettes as its tests ask for them, by name; each choice is put in order once for all tests.
final class CassetteLibrary: Sendable {
    private let cassettes: [Cassette]
    private let chosen = Mutex<[[String]: RecordedEntries]>([:])

    init(_ cassettes: [Cassette]) {
        // A request that was recorded well and badly gets the good answer, unless a test says which it wants.
        self.cassettes = cassettes.filter { $0.name != "errors" } + cassettes.filter { $0.name == "errors" }
    }

    /// The names of all cassettes.
    var names: [String] { cassettes.map(\.name) }

    /// The entries of these cassettes, in the order of the names; of all where none is named.
    func entries(named names: [String]) -> RecordedEntries {
        chosen.withLock { chosen in
            if let entries = chosen[names] { return entries }
            let wanted = names.isEmpty ? cassettes : names.compactMap { name in cassettes.first { $0.name == name } }
            let entries = RecordedEntries(wanted)
            chosen[names] = entries
            return entries
        }
    }
}
