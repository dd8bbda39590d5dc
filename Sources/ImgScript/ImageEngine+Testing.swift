import HTTPTransport
import ProviderModel
import ProviderRuntime

// What the developer's tools need of an engine.
extension ImageEngine {
    /// Sends requests to the real services, past the cache: for recording and live tests.
    package func liveTransport() throws -> any Transport {
        var settings = settings
        // What sends nothing goes on sending nothing.
        if settings.answers != .dryRun { settings.answers = .live }
        settings.cacheFolder = nil
        return try TransportStack(settings, directory: directory, notices: notices).transport
    }

    /// Where the user's keys come from.
    package var userCredentials: CredentialSource { .user(settings.secrets ?? secrets) }

    /// Today's date in UTC.
    package static var today: CalendarDay { CalendarDay(secondsSince1970: WallClock.secondsSince1970) }

    /// The way to registries and tarballs: past the cache and rate limits, which are those of sources.
    package func packTransport() throws -> any Transport {
        if case .dryRun = settings.answers { return DryRunTransport(notices: notices) }
        return try TransportStack.plain(settings, notices)
    }

    /// How the workers run that look into packs.
    package var packWorker: WorkerSettings {
        var worker = settings.workerSettings(notices)
        worker.isStrict = true
        return worker
    }
}
