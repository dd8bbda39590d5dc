import HTTPTransport
import ProviderModel
import ProviderRuntime

extension ImageEngine {
    /// Sends requests to the real services, past all stored answers: for recording and live tests.
    package func liveTransport() throws -> any Transport {
        var settings = settings
        if case .dryRun = settings.answers {
            // What sends nothing goes on sending nothing.
        } else {
            settings.answers = .live
        }
        settings.cacheFolder = nil
        return try TransportStack(settings, directory: directory, startsAtOnce: true).transport
    }

    /// Where the user's keys come from.
    package var userCredentials: CredentialSource { .user(secrets) }

    /// Today's date in UTC.
    package static var today: CalendarDay { CalendarDay(secondsSince1970: WallClock.secondsSince1970) }
}
