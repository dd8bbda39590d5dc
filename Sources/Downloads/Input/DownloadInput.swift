import ProviderModel

/// One entry of an input: something to be downloaded.
public struct DownloadInput: Hashable, Sendable {
    /// What it is.
    public enum Subject: Hashable, Sendable {
        /// An image as a listing gave it, or a collection, which stands for its images.
        indirect case item(Item)
        /// `provider:id`, a provider's short form, the URL of a page that a provider knows, or that of a file.
        case reference(String)
        /// What could not be read, and why: reported as a failure, so that the others go on.
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
        let text = line.trimmingWhitespace
        guard let first = text.utf8.first, first != UInt8(ascii: "#") else { return nil }
        self.init(Self.subject(of: text), place: place)
    }

    private static func subject(of text: String) -> Subject {
        guard text.utf8.first == UInt8(ascii: "{") else {
            return isReference(text)
                ? .reference(text) : .unreadable("\(text.quoted) is not valid (expected JSON, PROVIDER:ID or a URL)")
        }
        do throws(ContractViolation) { return .item(try Item(json: Array(text.utf8))) } catch {
            // A line for a file only: `{"url": "https://…"}`.
            if let json = JSONValue.found(in: text.utf8), json["media"] == nil, json["id"] == nil,
                let url = json["url"]?.textValue
            {
                return .reference(url)
            }
            return .unreadable(error.text)
        }
    }

    /// Whether a text looks like `provider:id` or a URL, and not like words to search for.
    public static func isReference(_ text: String) -> Bool {
        if text.isWebAddress { return true }
        guard let colon = text.firstIndex(of: ":"), text.index(after: colon) < text.endIndex else { return false }
        return ProviderID(String(text[..<colon])) != nil && text[text.index(after: colon)] != " "
    }
}

extension DownloadInput.Subject {
    /// The name that messages use.
    var reference: String? {
        switch self {
        case .item(let item): "\(item.provider):\(item.id)"
        case .reference(let text): text
        case .unreadable: nil
        }
    }

    /// The line of a list that stands for it; nil for what could not be read.
    var line: String? {
        switch self {
        case .unreadable: return nil
        // A URL with a password is refused in any case; the file would be one more place that holds it.
        case .reference(let text): return text.maskingUserInfo
        case .item(let item):
            var json = JSONWriter()
            item.write(to: &json)
            return json.text
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
