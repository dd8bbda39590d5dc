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
    enum Target: Equatable {
        /// A picture of a provider.
        case picture(Media, ProviderID)
        /// A film of a provider.
        case film(Media, ProviderID)
        /// A file of the library, by its path.
        case file(String)
        /// A small copy of one.
        case thumbnail(String)
    }

    private enum Kind: String {
        case picture
        case film
        case file
        case thumbnail
    }

    /// Returns the path of a provider's picture.
    func path(of media: Media, from provider: ProviderID) -> String { path(.picture, media, provider) }

    /// Returns the path of a provider's film.
    func path(ofFilm media: Media, from provider: ProviderID) -> String { path(.film, media, provider) }

    /// Returns the path of a file of the library, or of a small copy; `version` differs for other files of the same name.
    func path(ofFile path: String, version: String, isThumbnail: Bool = false) -> String {
        address([(isThumbnail ? Kind.thumbnail : .file).rawValue, path, version])
    }

    private func path(_ kind: Kind, _ media: Media, _ provider: ProviderID) -> String {
        let size = [media.width, media.height].map { $0.map(String.init) ?? "" }
        let headers = media.headers.flatMap { [$0.name, $0.value] }
        let names = [kind.rawValue, provider.description, media.url.description, media.format ?? ""]
        return address(names + size + headers)
    }

    private func address(_ texts: [String]) -> String {
        var json = JSONWriter()
        json.array(texts) { $0.value($1) }
        return "\(Self.root)/\(Self.encode(json.bytes)).\(Self.encode(signature(of: json.bytes)))"
    }

    /// Returns what a picture's name stands for; nil for one that this process did not give.
    func target(of name: String) -> Target? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let bytes = Self.decode(parts[0]), let signature = Self.decode(parts[1]),
            Self.areEqual(signature, self.signature(of: bytes)),
            let texts = JSONValue.found(in: bytes)?.elements?.compactMap(\.textValue),
            let kind = texts.first.flatMap(Kind.init(rawValue:))
        else { return nil }
        switch kind {
        case .file: return .file(texts[1])
        case .thumbnail: return .thumbnail(texts[1])
        case .picture: return Self.media(texts).map { .picture($0, $1) }
        case .film: return Self.media(texts).map { .film($0, $1) }
        }
    }

    private static func media(_ texts: [String]) -> (Media, ProviderID)? {
        // Signed, so it was a URL.
        guard let provider = ProviderID(texts[1]), let url = try? WebURL(texts[2]) else { return nil }
        var media = Media(role: .original, url: url)
        media.format = texts[3].isEmpty ? nil : texts[3]
        media.width = Int(texts[4])
        media.height = Int(texts[5])
        for index in stride(from: 6, to: texts.count - 1, by: 2) {
            media.headers.append(NamedValue(texts[index], texts[index + 1]))
        }
        return (media, provider)
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
