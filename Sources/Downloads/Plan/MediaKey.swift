import Crypto
import ProviderModel

/// The identity of a file, the same in every run: `unsplash:abc:original`.
public struct MediaKey: Hashable, Sendable, CustomStringConvertible {
    /// `provider:id:role`, of an item of several files `provider:id:role.2`; for a bare URL `url:` and the URL.
    public let description: String

    /// The file of an item; its number is part of the key, so that one of several does not stand for all.
    package init(_ item: Item, _ media: Media) {
        let number = media.file.map { ".\($0)" } ?? ""
        description = "\(item.provider):\(item.id):\(media.role.rawValue)\(number)"
    }

    /// The file behind a bare URL.
    package init(_ url: WebURL) { description = "url:" + url.withoutFragment }

    /// The reference of the item, `unsplash:abc`, or a bare URL.
    public var itemReference: String { isBareURL ? String(description.dropFirst(4)) : String(itemName.dropLast()) }

    /// Whether it is the key of a bare URL; no provider has this name.
    package var isBareURL: Bool { description.hasPrefix("url:") }

    /// A key as it was stored.
    package init(stored text: String) { description = text }

    /// What the keys of all files of its item begin with: `unsplash:abc:`.
    var itemName: String {
        description.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(description[...$0]) } ?? description
    }

    /// Hexadecimal digits that are the same in every run, for names that have to differ.
    package func digits(_ count: Int) -> String {
        String(Crypto.SHA256.hash(data: Array(description.utf8)).prefix((count + 1) / 2).hexadecimal.prefix(count))
    }
}
