import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization

/// Sends the requests of a provider's script with the user's key, and returns responses without secrets.
struct RequestSender: Sendable {
    let manifest: ProviderManifest
    /// The chosen server, for software that runs on many.
    let instance: WebURL?
    /// The granted permissions of an installed pack's provider; nil for other files.
    let installed: InstalledProvider?
    let transport: any Transport
    let source: CredentialSource
    /// The user's key without a session; nil where there is none.
    let credentials: Credentials?
    /// The image that requests may upload.
    var image: SearchImage?
    /// The values of the provider's session, begun where there is none.
    let session: @Sendable () async throws -> SessionValues

    /// A call as it is traced, and how long its script took for these requests.
    typealias Trace = (call: CallTrace, script: Duration)

    /// The responses in the requests' order; the requests are sent concurrently.
    func answers(
        to requests: [ProviderRequest], of operation: ProviderOperation, _ receipts: ReceiptRecord,
        _ trace: Trace? = nil
    ) async throws -> [ProviderResponse] {
        if requests.count == 1 { return [try await answer(to: requests[0], of: operation, receipts, trace)] }
        return try await withThrowingTaskGroup(of: (Int, ProviderResponse).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask { (index, try await answer(to: request, of: operation, receipts, trace)) }
            }
            var answers = [ProviderResponse?](repeating: nil, count: requests.count)
            for try await (index, response) in group { answers[index] = response }
            return answers.compactMap(\.self)
        }
    }

    /// Throws for a request with the user's key by a method that the manifest does not declare; for a pack, nothing that it
    /// declares goes beyond what was granted.
    private func checkMethod(_ method: ProviderRequest.Method) throws(ProviderError) {
        let declared = ProviderPermissions(manifest).methods
        guard !method.isSafe, !declared.contains(method) else { return }
        let allowed = ["GET", "HEAD"] + declared.map(\.rawValue)
        let needed = (declared + [method]).map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw ProviderError(
            .provider, provider: manifest.id.description,
            message: "its file sends \(method.rawValue) with your key, which it does not declare "
                + "(declared: \(allowed.joined(separator: ", ")))",
            hint: "a provider declares such methods in its manifest: methods: [\(needed)]")
    }

    private func answer(
        to request: ProviderRequest, of operation: ProviderOperation, _ receipts: ReceiptRecord, _ trace: Trace?
    ) async throws -> ProviderResponse {
        let keys = request.usesCredentials ? try await keys(for: operation) : nil
        var outgoing = try TransportRequest(request, of: manifest, instance: instance, credentials: keys, image: image)
        outgoing.scope.granted = installed?.permissions.hosts
        if keys != nil { try checkMethod(request.method) }
        let start = ContinuousClock.now
        if let trace {
            trace.call.record(.request(outgoing.description, bodyBytes: outgoing.body.count, script: trace.script))
        }
        do {
            let response = try await transport.send(outgoing)
            receipts.add(response, to: outgoing)
            let answer = ProviderResponse(response, redacting: keys?.redaction)
            trace?.call.record(.answer(answer, from: response.origin, took: start.duration(to: .now)))
            return answer
        } catch {
            receipts.addFailure()
            trace?.call.record(.failedRequest("\(error)", took: start.duration(to: .now)))
            throw error
        }
    }

    /// The credentials of a request; throws where a key is required and missing.
    private func keys(for operation: ProviderOperation) async throws -> Credentials? {
        guard var keys = credentials else {
            if manifest.needsKey, case .user = source { throw source.missingKey(of: manifest, on: instance) }
            return nil
        }
        if operation == .session {
            keys.isForSession = true
        } else if keys.method.needsSession {
            keys.session = try await session()
        }
        return keys
    }
}

extension ProviderResponse {
    /// An answer without anything a script may not see.
    fileprivate init(_ response: TransportResponse, redacting redaction: SecretRedaction?) {
        // Cookies stay with the host; a key that a service echoes is masked.
        let headers = response.headers.filter { $0.name.canonicalName != "set-cookie" }
            .map { NamedValue($0.name.rawName, redaction?.redact($0.value) ?? $0.value) }
        self.init(
            status: response.status, url: response.url, headers: headers,
            body: redaction?.redact(response.body) ?? response.body)
    }
}

/// The answers that went into one result.
final class ReceiptRecord: Sendable {
    private struct State {
        var exchanges: [(TransportRequest, TransportResponse)] = []
        var receipts: [CacheReceipt?] = []
        var last: (TransportRequest, TransportResponse)?
        var hasFailed = false
    }

    private let keepsExchanges: Bool
    private let state = Mutex(State())

    /// A record without answers; `keepsExchanges` is for those who want them all.
    init(keepsExchanges: Bool = false) { self.keepsExchanges = keepsExchanges }

    /// Notes one more answer.
    func add(_ response: TransportResponse, to request: TransportRequest) {
        state.withLock { state in
            state.receipts.append(response.receipt)
            state.last = (request, response)
            if keepsExchanges { state.exchanges.append((request, response)) }
        }
    }

    /// Notes that a request had no answer.
    func addFailure() { state.withLock { $0.hasFailed = true } }

    /// All requests that were answered, in the order of their answers; none unless they are kept.
    var exchanges: [(TransportRequest, TransportResponse)] { state.withLock(\.exchanges) }

    /// The request that was answered last; nil where one had no answer, which then is what went wrong.
    var lastExchange: (TransportRequest, TransportResponse)? { state.withLock { $0.hasFailed ? nil : $0.last } }

    /// All of them; nil when there is none, or an answer is not stored.
    var complete: [CacheReceipt]? {
        let all = state.withLock(\.receipts)
        let stored = all.compactMap(\.self)
        return stored.isEmpty || stored.count < all.count ? nil : stored
    }
}
