import Crypto
import FoundationEssentials
import HTTPTypes
import ProviderModel

/// A time and a number that is used once, which signed requests carry.
struct SigningMoment {
    /// Milliseconds since 1970.
    let milliseconds: Int64
    /// A text that no other request of the time has.
    let nonce: String

    /// The time of day, and a random number.
    static var now: SigningMoment {
        SigningMoment(milliseconds: WallClock.millisecondsSince1970, nonce: RandomText.make(bytes: 12))
    }

    /// Seconds since 1970.
    var seconds: Int { Int(milliseconds / 1_000) }
}

/// Random texts for secrets of one exchange.
package enum RandomText {
    /// Returns as many random bytes in hexadecimal.
    package static func make(bytes count: Int) -> String {
        // Eight at a time, since each number is a system call.
        let words = (0..<(count + 7) / 8).map { _ in UInt64.random(in: .min ... .max) }
        return words.withUnsafeBytes { Array($0.prefix(count)) }.hexadecimal
    }
}

extension RequestSignature.Hash {
    /// The authentication code of a text (RFC 2104).
    func code(of text: String, key: String) -> [UInt8] {
        let (text, key) = (Array(text.utf8), SymmetricKey(data: Array(key.utf8)))
        return switch self {
        case .md5: Array(HMAC<Insecure.MD5>.authenticationCode(for: text, using: key))
        case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: text, using: key))
        case .sha256: Array(HMAC<SHA256>.authenticationCode(for: text, using: key))
        case .sha512: Array(HMAC<SHA512>.authenticationCode(for: text, using: key))
        }
    }

    /// The digest of bytes.
    func digest(of bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .md5: Array(Insecure.MD5.hash(data: bytes))
        case .sha1: Array(Insecure.SHA1.hash(data: bytes))
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }
}

extension RequestSignature.Encoding {
    func text(of bytes: [UInt8]) -> String {
        let base64 = Data(bytes).base64EncodedString()
        return switch self {
        case .hex: bytes.hexadecimal
        case .base64: base64
        case .base64url: base64.base64URL
        }
    }
}

extension String {
    /// Base 64 with the alphabet of URLs and without padding (RFC 4648 §5).
    var base64URL: String {
        replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension RequestSignature.Part {
    /// The part's text in a request.
    func text(of request: WireRequest, hash: RequestSignature.Hash) -> String {
        let url = request.url
        switch self {
        case .method: return request.method.rawValue
        case .scheme: return url.scheme.rawValue
        case .host: return url.authority
        case .path: return url.path
        case .target: return url.target
        case .query: return url.query ?? ""
        case .sortedQuery: return url.sortedQuery
        case .sortedTarget: return url.path + (url.query == nil ? "" : "?" + url.sortedQuery)
        case .url: return url.withoutFragment
        case .body: return String(decoding: request.body, as: UTF8.self)
        case .bodyDigest: return hash.digest(of: request.body).hexadecimal
        case .timestamp: return "\(request.moment.seconds)"
        case .milliseconds: return "\(request.moment.milliseconds)"
        case .date: return DateTime(secondsSince1970: request.moment.seconds).iso8601
        case .nonce: return request.moment.nonce
        }
    }
}

extension WebURL {
    /// The query with its pairs in the order of their names and values, each encoded once.
    fileprivate var sortedQuery: String { queryItems.map { ($0.name, $0.value) }.sortedAndEncoded }
}

extension [(String, String)] {
    /// Encoded pairs in the order of the encoded names, then values (RFC 5849 §3.4.1.3.2).
    fileprivate var sortedAndEncoded: String {
        map { (PercentEncoding.encode($0.0), PercentEncoding.encode($0.1)) }
            .sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }
}

/// Signs requests with HMAC-SHA1 by OAuth 1.0a (RFC 5849).
struct OAuth1Signer {
    /// The client's identifier and secret.
    let client: (id: String, secret: String)
    /// The token's, or those of a login under way; nil before.
    var token: (id: String, secret: String)?
    /// Parameters of the protocol besides the usual ones, such as `oauth_callback`.
    var parameters: [(String, String)] = []

    /// Returns the value of the `Authorization` line (§3.5.1).
    func authorization(for request: WireRequest) -> String {
        var all = [
            ("oauth_consumer_key", client.id), ("oauth_nonce", request.moment.nonce),
            ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", "\(request.moment.seconds)"),
        ]
        if let token { all.append(("oauth_token", token.id)) }
        all += parameters + [("oauth_version", "1.0")]
        let key = "\(PercentEncoding.encode(client.secret))&\(PercentEncoding.encode(token?.secret ?? ""))"
        let code = RequestSignature.Hash.sha1.code(of: Self.baseString(of: request, all), key: key)
        all.append(("oauth_signature", Data(code).base64EncodedString()))
        let pairs = all.map { "\($0.0)=\"\(PercentEncoding.encode($0.1))\"" }
        return "OAuth " + pairs.joined(separator: ", ")
    }

    /// The signature base string (§3.4.1.1).
    static func baseString(of request: WireRequest, _ parameters: [(String, String)]) -> String {
        let all = request.url.queryItems.map { ($0.name, $0.value) } + form(of: request) + parameters
        let parts = [request.method.rawValue, request.url.origin + request.url.path, all.sortedAndEncoded]
        return parts.map(PercentEncoding.encode).joined(separator: "&")
    }

    /// The body's pairs, where it is a form of one part (§3.4.1.3.1).
    private static func form(of request: WireRequest) -> [(String, String)] {
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
        guard type == "application/x-www-form-urlencoded" else { return [] }
        return FormEncoding.decode(String(decoding: request.body, as: UTF8.self)).map { ($0.name, $0.value) }
    }
}
