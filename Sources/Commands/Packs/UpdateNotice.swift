import FoundationEssentials
import Glibc
import HTTPTransport
import ImgScript
import Packs
import ProviderModel
import ProviderRuntime

/// Looks for newer versions of packs beside a command, and tells of them: each at most once a day, and at a terminal only.
///
/// Only the indexes are fetched, whatever is searched for; nothing is installed.
struct UpdateNotice {
    /// When these things were done last, in seconds since 1970.
    private struct State: Codable {
        var fetched = 0
        var told = 0
    }

    private let context: AppContext
    private let path: String
    private let state: State
    private let now: Int
    /// The indexes being fetched; nil where they were today.
    private let fetch: Task<Bool, Never>?

    private static let day = 86_400
    /// How long a command that is done waits for indexes; what was not fetched by then is tried next time.
    private static let patience = Duration.seconds(1)

    /// Begins to look; nil where there is nothing to tell today.
    init?(_ context: AppContext) {
        guard isatty(STDERR_FILENO) == 1, !context.status.isQuiet, case .live = context.settings.answers,
            context.settings.cacheMode != .offline
        else { return nil }
        self.context = context
        path = "\(context.settings.stateFolder)/updates.json"
        now = WallClock.secondsSince1970
        // Without the file, or with one that is not ours, nothing was done yet.
        state = (try? JSONDecoder().decode(State.self, from: Data(contentsOf: URL(filePath: path)))) ?? State()
        let isDue = now - state.fetched >= Self.day || state.fetched > now
        let mayTell = now - state.told >= Self.day || state.told > now
        // A list of indexes that cannot be used is reported by the commands for packs.
        guard isDue || mayTell, let known = try? KnownPacks(context.settings), !known.store.trusted.all.isEmpty else {
            return nil
        }
        fetch = isDue ? Task { await Self.fetch(known.store, context) } : nil
    }

    /// Tells of newer versions, once the command is done.
    func finish() async {
        var state = state
        if let fetch {
            let timer = Task {
                try await Task.sleep(for: Self.patience)
                fetch.cancel()
            }
            if await fetch.value { state.fetched = now }
            timer.cancel()
        }
        if now - state.told >= Self.day || state.told > now, tell() { state.told = now }
        // Without the file it is done again next time.
        try? FileSystem.makeFolder(FileSystem.parent(of: path))
        if let data = try? JSONEncoder().encode(state) { try? FileSystem.write(Array(data), to: path) }
    }

    /// Whether every index was fetched: one that cannot be is no concern of a search.
    private static func fetch(_ store: IndexStore, _ context: AppContext) async -> Bool {
        guard let transport = try? context.engine.packTransport(),
            let hosts = try? AllowedHosts(context.settings.allowedHosts)
        else { return false }
        let network = PackNetwork(over: transport, allowedHosts: hosts)
        var isComplete = true
        for index in store.trusted.all {
            do { _ = try await store.refresh(index, over: network) } catch { isComplete = false }
        }
        return isComplete && !Task.isCancelled
    }

    private func tell() -> Bool {
        guard let updates = try? KnownPacks(context.settings).updates(), !updates.isEmpty else { return false }
        for update in updates.prefix(3) {
            context.status.note(
                "\(update.name) \(update.newest.version) is available (in use: \(update.version))")
        }
        let name =
            updates.count > 1 ? "" : " \(updates[0].name == CorePack.name ? CorePack.shortName : updates[0].name)"
        context.status.note(
            "imgscript pack update\(name) shows what changes, and asks; --no-update-check turns this notice off")
        return true
    }
}
