import HTTPTransport
import ProviderModel
import ProviderRuntime

/// The way to the real services: the network, and the user's own keys.
package struct LiveService: Sendable {
    /// Sends requests, with redirects, retries and rate limits.
    package let transport: any Transport
    /// Where keys come from.
    package let credentials: CredentialSource
    /// The day, for what is recorded.
    package let today: CalendarDay

    package init(transport: any Transport, credentials: CredentialSource, today: CalendarDay) {
        self.transport = transport
        self.credentials = credentials
        self.today = today
    }
}
