import FoundationEssentials
import HTTPTransport
import HTTPTypes

/// A digest that a server gave along with a file.
struct PromisedDigest: Hashable, Sendable {
    /// How it is made.
    enum Algorithm: String, Hashable, Sendable, CaseIterable {
        case sha256 = "sha-256"
        case sha512 = "sha-512"
        case md5
    }

    let algorithm: Algorithm
    let bytes: [UInt8]
    /// The header it stood in.
    let source: String

    /// What an answer promises of the whole file: the strongest that is known here.
    ///
    /// `Repr-Digest` (RFC 9530) and `Digest` (RFC 3230) are of the whole file also where a part is sent;
    /// `Content-Digest` and `Content-MD5` are of what is sent.
    static func strongest(in headers: HTTPFields, isWhole: Bool) -> PromisedDigest? {
        var found = structured(headers, reprDigest) + listed(headers, digest)
        if isWhole {
            found += structured(headers, contentDigest)
            if let value = contentMD5.flatMap({ headers[$0] }), let bytes = Base64Text.decode(value) {
                found.append(PromisedDigest(algorithm: .md5, bytes: bytes, source: "Content-MD5"))
            }
        }
        guard !found.isEmpty else { return nil }
        let order: [Algorithm] = [.sha256, .sha512, .md5]
        let lengths: [Algorithm: Int] = [.sha256: 32, .sha512: 64, .md5: 16]
        return order.lazy.compactMap { wanted in
            found.first { $0.algorithm == wanted && $0.bytes.count == lengths[wanted] }
        }.first
    }

    private static let reprDigest = HTTPField.Name("Repr-Digest")
    private static let digest = HTTPField.Name("Digest")
    private static let contentDigest = HTTPField.Name("Content-Digest")
    private static let contentMD5 = HTTPField.Name("Content-MD5")

    /// `sha-256=:BASE64:, md5=:BASE64:`.
    private static func structured(_ headers: HTTPFields, _ name: HTTPField.Name?) -> [PromisedDigest] {
        pairs(headers, name).compactMap { algorithm, text, source in
            guard text.count >= 2, text.hasPrefix(":"), text.hasSuffix(":") else { return nil }
            return Base64Text.decode(String(text.dropFirst().dropLast())).map {
                PromisedDigest(algorithm: algorithm, bytes: $0, source: source)
            }
        }
    }

    /// `SHA-256=BASE64,MD5=BASE64`.
    private static func listed(_ headers: HTTPFields, _ name: HTTPField.Name?) -> [PromisedDigest] {
        pairs(headers, name).compactMap { algorithm, text, source in
            Base64Text.decode(text).map { PromisedDigest(algorithm: algorithm, bytes: $0, source: source) }
        }
    }

    private static func pairs(_ headers: HTTPFields, _ name: HTTPField.Name?) -> [(Algorithm, String, String)] {
        guard let name, let value = headers[name] else { return [] }
        return value.split(separator: ",").compactMap { pair in
            guard let equals = pair.firstIndex(of: "=") else { return nil }
            let key = pair[..<equals].filter { $0 != " " }.lowercased()
            let text = pair[pair.index(after: equals)...].drop { $0 == " " }.droppingEnd { $0 == " " }
            return Algorithm(rawValue: key).map { ($0, text, name.rawName) }
        }
    }
}

/// Base64 of RFC 4648 §4, also where its padding is left out.
enum Base64Text {
    static func decode(_ text: String) -> [UInt8]? {
        let digits = text.droppingEnd { $0 == "=" || $0 == " " }.drop { $0 == " " }
        let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
        return Data(base64Encoded: digits + padding).map { [UInt8]($0) }
    }
}
