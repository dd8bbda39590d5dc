import HTTPTransport
import HTTPTypes

/// Keeps the secrets of a request out of what is stored of its response.
struct SecretCheck: Sendable {
    /// What the transport adds at the last moment; masked where a response repeats it.
    private let credentials: SecretRedaction?
    /// What the caller wrote into the header lines; a response that repeats it is not stored.
    private let lines: SecretRedaction?
    /// Whether the request is one of a user's own, whose cookies are not stored.
    private let isPersonal: Bool

    init(_ request: TransportRequest) {
        credentials = request.credentials?.redaction
        isPersonal = request.credentials != nil
        var values: [String] = []
        for name in ["authorization", "proxy-authorization", "cookie"] {
            guard let name = HTTPField.Name(name) else { continue }
            for value in request.headers[values: name] {
                values.append(value)
                // `Bearer TOKEN`, `name=VALUE; name=VALUE`: the part that is secret stands alone in a response.
                values += value.split { $0 == " " || $0 == ";" }.map { part in
                    part.firstIndex(of: "=").map { String(part[part.index(after: $0)...]) } ?? String(part)
                }.filter { $0.utf8.count >= 8 }
            }
        }
        lines = values.isEmpty ? nil : SecretRedaction(values)
    }

    /// The lines with secrets masked; nil when they may not be stored.
    func kept(_ fields: HTTPFields) -> HTTPFields? {
        var kept = HTTPFields()
        for field in fields where !isPersonal || field.name != .setCookie {
            if let lines, lines.redact(field.value) != field.value { return nil }
            kept.append(HTTPField(name: field.name, value: credentials?.redact(field.value) ?? field.value))
        }
        return kept
    }

    /// The body with secrets masked; nil when it may not be stored.
    func kept(_ body: [UInt8]) -> [UInt8]? {
        if let lines, lines.redact(body) != body { return nil }
        return credentials?.redact(body) ?? body
    }

    /// A check of a body that comes in pieces.
    var streamed: StreamedSecretCheck { StreamedSecretCheck([credentials, lines].compactMap(\.self)) }
}

/// Looks for secrets in a body that comes in pieces, also where one begins in a piece and ends in the next.
struct StreamedSecretCheck: Sendable {
    /// Whether one was found.
    private(set) var hasFound = false
    private let redactions: [SecretRedaction]
    private var tail: [UInt8] = []
    /// Longer than any secret in any of its forms.
    private static let tailLength = 4_096

    init(_ redactions: [SecretRedaction]) { self.redactions = redactions }

    /// Takes the next piece.
    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        guard !redactions.isEmpty, !hasFound else { return }
        let window = tail + bytes
        hasFound = redactions.contains { $0.redact(window) != window }
        tail = Array(window.suffix(Self.tailLength))
    }
}
