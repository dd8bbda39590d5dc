import Crypto
import FoundationEssentials
import ProviderModel

/// Addresses of pictures on this server, each of which carries a file's own URL and a signature.
///
/// Only what came out of a listing can be fetched: without the signature, which only this server can make, this would be an open
/// proxy.
struct PictureAddresses: Sendable {
    /// Where pictures lie.
    static let root = "/api/v1/pictures"
    private let key: SymmetricKey

    /// Addresses that hold as long as this process.
    init() { key = SymmetricKey(size: .bits256) }

    /// What is behind an address.
    struct Target {
        let provider: ProviderID
        let media: Media
    }

    /// Returns the path of a provider's file.
    func path(of media: Media, from provider: ProviderID) -> String {
        var json = JSONWriter()
        let size = [media.width, media.height].map { $0.map(String.init) ?? "" }
        let headers = media.headers.flatMap { [$0.name, $0.value] }
        json.array([provider.description, media.url.description] + size + headers) { $0.value($1) }
        return "\(Self.root)/\(Self.encode(json.bytes)).\(Self.encode(signature(of: json.bytes)))"
    }

    /// Returns what a picture's name stands for; nil for one that this process did not give.
    func target(of name: String) -> Target? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let bytes = Self.decode(parts[0]), let signature = Self.decode(parts[1]),
            Self.areEqual(signature, self.signature(of: bytes)),
            let texts = JSONValue.found(in: bytes)?.elements?.compactMap(\.textValue), texts.count >= 4,
            let provider = ProviderID(texts[0]), let url = try? WebURL(texts[1])  // signed, so it was one
        else { return nil }
        var media = Media(role: .original, url: url)
        media.width = Int(texts[2])
        media.height = Int(texts[3])
        for index in stride(from: 4, to: texts.count - 1, by: 2) {
            media.headers.append(NamedValue(texts[index], texts[index + 1]))
        }
        return Target(provider: provider, media: media)
    }

    private func signature(of bytes: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key).prefix(16))
    }

    /// Compares in a time that does not depend on where the difference is.
    private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func decode(_ text: Substring) -> [UInt8]? {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        return Data(base64Encoded: standard + padding).map { Array($0) }
    }
}
