import Crypto
import ProviderModel

/// What tells one file from every other, in this run and the next: `unsplash:abc:original`.
package struct MediaKey: Hashable, Sendable, CustomStringConvertible {
    /// `provider:id:role`; for a bare URL `url:` and the URL.
    package let description: String

    /// The file of this role of an item.
    package init(_ item: Item, _ role: Media.Role) {
        description = "\(item.provider):\(item.id):\(role.rawValue)"
    }

    /// The file behind a URL that no provider told of.
    package init(_ url: WebURL) { description = "url:" + url.withoutFragment }

    /// Whether it is the key of a URL that no provider told of; no provider has this name.
    var isBareURL: Bool { description.hasPrefix("url:") }

    /// A key as it was written down.
    package init(stored text: String) { description = text }

    /// What the keys of all files of its item begin with: `unsplash:abc:`.
    var itemName: String {
        description.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(description[...$0]) } ?? description
    }

    /// Hexadecimal digits that are the same in every run, for names that have to differ.
    package func digits(_ count: Int) -> String {
        var text = description
        var hasher = Crypto.SHA256()
        text.withUTF8 { hasher.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return hasher.finalize().withUnsafeBytes { digest in
            String(unsafeUninitializedCapacity: count) { digits in
                for place in 0..<count {
                    let digit = place.isMultiple(of: 2) ? digest[place / 2] >> 4 : digest[place / 2] & 15
                    digits[place] = digit + (digit < 10 ? 0x30 : 0x61 - 10)
                }
                return count
            }
        }
    }
}
