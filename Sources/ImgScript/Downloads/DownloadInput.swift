import ProviderModel

extension ImageEngine {
    /// One thing that somebody wants to have on disk.
    public struct DownloadInput: Hashable, Sendable {
        /// What it is.
        public enum Subject: Hashable, Sendable {
            /// An image as a listing gave it, or a collection, which stands for its images.
            ///
            /// Apart from the other cases, which are a few words and go from hand to hand as well.
            indirect case item(Item)
            /// `provider:id`, a provider's short form, the address of a page that a provider knows, or that of a file.
            case reference(String)
            /// What could not be read, and why: told as a failure, so that the others go on.
            case unreadable(String)
        }

        /// What it is.
        public var subject: Subject
        /// Where it stands, for messages: `list.txt:17`.
        public var place: String?

        /// An input.
        public init(_ subject: Subject, place: String? = nil) {
            self.subject = subject
            self.place = place
        }

        /// The input on a line of a list: JSON as `--format jsonl` writes it, or a reference.
        ///
        /// nil for an empty line and for a comment, which begins with `#`.
        public init?(line: String, place: String? = nil) {
            let text = line.trimmed
            guard let first = text.utf8.first, first != UInt8(ascii: "#") else { return nil }
            self.init(Self.subject(of: text), place: place)
        }

        private static func subject(of text: String) -> Subject {
            guard text.utf8.first == UInt8(ascii: "{") else {
                return isReference(text)
                    ? .reference(text)
                    : .unreadable("\(text.quoted) is neither JSON nor PROVIDER:ID nor an address")
            }
            do throws(InvalidJSON) {
                let json = try JSONValue(parsing: text.utf8)
                do throws(InvalidItem) {
                    // A line that tells of a file only: `{"url": "https://…"}`.
                    if json["media"] == nil, json["id"] == nil, let url = json["url"]?.textValue {
                        return .reference(url)
                    }
                    return .item(try Item(json))
                } catch { return .unreadable(error.description) }
            } catch { return .unreadable("it is no JSON: \(error)") }
        }

        /// Whether a text looks like `provider:id` or an address, and not like words to search for.
        public static func isReference(_ text: String) -> Bool {
            if text.isWebAddress { return true }
            guard let colon = text.firstIndex(of: ":"), text.index(after: colon) < text.endIndex else { return false }
            return ProviderID(String(text[..<colon])) != nil && text[text.index(after: colon)] != " "
        }
    }
}

extension String {
    /// The text without white space around it.
    fileprivate var trimmed: String {
        let printable: ClosedRange<UInt8> = 0x21...0x7e
        if let first = utf8.first, let last = utf8.last, printable ~= first, printable ~= last { return self }
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
