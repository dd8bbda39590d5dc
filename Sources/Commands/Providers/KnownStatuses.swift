import HTTPTransport
import ImgScript
import Packs
import ProviderRuntime

extension AppContext {
    /// Seconds after which a status that others publish is fetched again.
    private static let statusAge = 24 * 3_600
    /// Seconds after which that is tried again where it failed.
    private static let statusRetry = 3_600

    /// Fetches the statuses that options and settings name, at most once a day; nothing else is sent.
    func refreshStatuses() async {
        for url in settings.statusURLs where isDue(url) {
            do { try await fetchStatus(url) } catch {
                status.warning("could not use the status at \(url)", error)
            }
        }
    }

    /// Fetches the status at an address, whatever is there of it.
    func fetchStatus(_ url: String) async throws {
        var known = engine.statuses.fetched(from: url) ?? StatusStore.Fetched(url: url)
        known.attempted = WallClock.secondsSince1970
        let network = PackNetwork(
            over: try engine.packTransport(), allowedHosts: try AllowedHosts(settings.allowedHosts))
        do {
            known.report = try await StatusFetcher(over: network).report(
                at: url, signedBy: try statusKeys.map(PublicKey.named), after: known.report)
        } catch {
            // So that not every search waits for a server that is down.
            try engine.statuses.store(known)
            throw error
        }
        try engine.statuses.store(known)
    }

    private func isDue(_ url: String) -> Bool {
        guard case .live = settings.answers, settings.cacheMode != .offline else { return false }
        guard let known = engine.statuses.fetched(from: url) else { return true }
        let age = WallClock.secondsSince1970 - known.attempted
        return age < 0 || age >= (known.report == nil ? Self.statusRetry : Self.statusAge)
    }
}

extension ProviderListing.Broken {
    /// The command that brings a version that works; nil where none is known to.
    var hint: String? {
        pack.map { "imgscript pack update \($0 == CorePack.name ? CorePack.shortName : $0)" }
    }
}

extension StatusLine {
    /// Warns of a provider that is known to be broken.
    func warning(_ broken: ProviderListing.Broken, of provider: ProviderID) {
        warning("\(provider): \(broken)", hint: broken.hint)
    }

    /// Warns of something that failed and that the command can do without.
    fileprivate func warning(_ what: String, _ error: any Error) {
        let message = (error as? PackError)?.fullMessage ?? (error as? TransportError)?.message ?? "\(error)"
        warning("\(what): \(message)", hint: ErrorHint.text(for: error))
    }
}
