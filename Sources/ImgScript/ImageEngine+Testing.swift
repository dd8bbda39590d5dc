import ProviderModel
import ProviderRuntime
import ProviderTesting

extension ImageEngine {
    /// The way to the real services with the user's keys, past all stored answers: for recording and live tests.
    package func liveService() throws -> LiveService {
        var settings = settings
        if case .dryRun = settings.answers {
            // What sends nothing goes on sending nothing.
        } else {
            settings.answers = .live
        }
        settings.cacheFolder = nil
        let stack = try TransportStack(settings, directory: directory, startsAtOnce: true)
        return LiveService(transport: stack.transport, credentials: .user(secrets), today: Self.today)
    }

    /// Where the user's keys come from.
    package var userCredentials: CredentialSource { .user(secrets) }

    /// Today's date in UTC.
    package static var today: CalendarDay { CalendarDay(secondsSince1970: WallClock.secondsSince1970) }
}
