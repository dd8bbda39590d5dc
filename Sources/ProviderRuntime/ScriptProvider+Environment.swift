import HTTPTransport
import ProviderModel
import ProviderRuntime

extension ScriptProvider {
    /// What all providers of a run share.
    package struct Environment: Sendable {
        /// The workers.
        package let pool: WorkerPool
        /// What answers requests.
        package let transport: any Transport
        /// Where credentials come from.
        package let credentials: CredentialSource
        /// The server the user chose, for software that runs on many.
        package var instance: WebURL?
        /// Whether providers log in; not where nobody is asked, as stored answers are found without.
        package var beginsSessions = true
        /// Where manifests and pages are kept; nil to run the scripts each time.
        package var results: (any DerivedStore)?
        /// Hears of every step; nil where nobody wants to know.
        package var trace: TraceRecorder?
        /// Told of an answer in which a script found that there were too many requests.
        package var refused: @Sendable (TransportRequest, TransportResponse) async -> Void = { _, _ in }
        /// The server of a provider that names none itself: that of its recorded answers.
        package var recordedInstance: @Sendable (ProviderID) -> WebURL? = { _ in nil }

        package init(pool: WorkerPool, transport: any Transport, credentials: CredentialSource) {
            self.pool = pool
            self.transport = transport
            self.credentials = credentials
        }

        /// The server that a provider is asked on: the user's choice, else the usual one; nil for a single service.
        func instance(of manifest: ProviderManifest) -> WebURL? {
            manifest.instance.flatMap { instance ?? $0.standard ?? recordedInstance(manifest.id) }
        }
    }
}
