import Downloads
import FoundationEssentials
import ProviderRuntime
import ProviderModel

/// Asks a provider at the last moment where a file is to be fetched, where its source wants to be asked.
struct ProviderMediaResolver: MediaResolver {
    let sources: DownloadSources
    let choice: MediaChoice
    let now: @Sendable () -> Int

    nonisolated(nonsending) func media(for planned: PlannedDownload) async throws -> Media? {
        guard var item = planned.item else { return nil }
        let provider = try await sources.provider(named: item.provider.description)
        var media = planned.media
        if isOver(media), provider.manifest.description(of: .details) != nil {
            // A listing may be old: its addresses hold only for a while.
            item = try await provider.details(of: item)
            media = item.media.first { $0.role == media.role } ?? choice.media(of: item) ?? media
        }
        media = try await provider.resolved(media, of: item)
        return media == planned.media ? nil : media
    }

    private func isOver(_ media: Media) -> Bool {
        // A date that cannot be read says nothing.
        guard let text = media.expires, let end = try? Date(text, strategy: .iso8601) else { return false }
        return Int(end.timeIntervalSince1970) <= now()
    }
}
