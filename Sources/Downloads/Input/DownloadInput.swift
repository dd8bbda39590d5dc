import ProviderModel

/// One entry of an input: an item, a reference, or a line that cannot be read.
public struct DownloadInput: Hashable, Sendable {
    /// What is to be downloaded.
    public enum Subject: Hashable, Sendable {
        /// An image as a listing gave it, or a collection, which stands for its images.
        indirect case item(Item)
        /// `provider:id`, a provider's short form, the URL of a page that a provider knows, or that of a file.
        case reference(String)
        /// A line that cannot be read, with the reason: reported as a failure, and the others continue.
        case unreadable(String)
    }

    /// What is to be downloaded.
    public var subject: Subject
    /// The position in a list, for messages: `list.txt:17`.
    public var place: String?

    /// Creates an input.
    ///
    /// - Parameters:
    ///   - subject: what is to be downloaded.
    ///   - place: the position in a list, for messages: `list.txt:17`.
    public init(_ subject: Subject, place: String? = nil) {
        self.subject = subject
        self.place = place
    }

    /// Parses a line of a list; nil for an empty line, and for a comment, which begins with `#`.
    ///
    /// - Parameters:
    ///   - line: a JSON item as `--format jsonl` and `json` write it, `{"url": "…"}`, `{"reference": "provider:id"}`,
    ///     `provider:id` or a URL. Other lines become ``Subject/unreadable(_:)``.
    ///   - place: the position in a list, for messages: `list.txt:17`.
    public init?(line: String, place: String? = nil) {
        let text = line.trimmingWhitespace
        guard let first = text.utf8.first, first != UInt8(ascii: "#") else { return nil }
        // The lines of an array, as `--format json` writes it.
        if ["[", "]", "[]"].contains(text) { return nil }
        let isElement = first == UInt8(ascii: "{") && text.utf8.last == UInt8(ascii: ",")
        self.init(Self.subject(of: isElement ? String(text.dropLast()) : text), place: place)
    }

    private static func subject(of text: String) -> Subject {
        guard text.utf8.first == UInt8(ascii: "{") else {
            return isReference(text)
                ? .reference(text) : .unreadable("\(text.quoted) is not valid (expected JSON, PROVIDER:ID or a URL)")
        }
        do throws(ContractViolation) { return .item(try Item(json: Array(text.utf8))) } catch {
            // A line for a file only, `{"url": "https://…"}`, or for an id: `{"reference": "unsplash:abc"}`.
            if let json = JSONValue.found(in: text.utf8), json["media"] == nil, json["id"] == nil,
                let reference = json["url"]?.textValue ?? json["reference"]?.textValue
            {
                return .reference(reference)
            }
            return .unreadable(error.text)
        }
    }

    /// Tells references from words to search for.
    ///
    /// - Parameter text: what a user typed.
    /// - Returns: whether it has the form of `provider:id` or of an `http` or `https` URL.
    public static func isReference(_ text: String) -> Bool {
        if text.isWebAddress { return true }
        guard let colon = text.firstIndex(of: ":"), text.index(after: colon) < text.endIndex else { return false }
        return ProviderID(String(text[..<colon])) != nil && text[text.index(after: colon)] != " "
    }
}

extension DownloadInput.Subject {
    /// The name that messages use.
    package var reference: String? {
        switch self {
        case .item(let item): "\(item.provider):\(item.id)"
        case .reference(let text): text
        case .unreadable: nil
        }
    }
}

extension String {
    fileprivate var trimmingWhitespace: String {
        guard first?.isWhitespace == true || last?.isWhitespace == true else { return self }
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
