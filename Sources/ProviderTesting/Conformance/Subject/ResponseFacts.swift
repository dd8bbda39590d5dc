import HTTPTransport
import HTTPTypes
import ProviderModel
import ProviderRuntime

/// What responses themselves say, whatever a script makes of them.
struct ResponseFacts: Sendable {
    /// A width and a height that stand beside each other.
    struct Size: Hashable, Sendable {
        var width: Int
        var height: Int

        var swapped: Size { Size(width: height, height: width) }
    }

    /// The sizes that members or attributes give.
    private(set) var sizes: Set<Size> = []
    /// What names a licence, with its value: `license: "CC BY"`.
    private(set) var licenses: [String] = []
    /// Points in time whose zone is given, in seconds since 1970.
    private(set) var instants: Set<Int> = []
    /// Links to another page of the same listing.
    private(set) var links: [WebURL] = []

    /// Longer pages are not looked through for attributes.
    private static let longestMarkup = 2 << 20

    /// Reads the bodies and the header lines of responses.
    init(_ responses: [TransportResponse]) {
        for response in responses {
            if let json = JSONValue.found(in: response.body) {
                read(json, named: "", at: response.url)
            } else if response.body.count <= Self.longestMarkup {
                read(markup: String(decoding: response.body, as: UTF8.self))
            }
            if let link = response.headers[HTTPField.Name("link")!], let next = Self.next(in: link, at: response.url) {
                links.append(next)
            }
        }
    }

    // MARK: JSON

    private mutating func read(_ json: JSONValue, named name: String, at url: WebURL) {
        switch json {
        case .object(let members):
            readSizes(members)
            for member in members { read(member.value, named: member.name, at: url) }
        case .array(let values): for value in values { read(value, named: name, at: url) }
        case .text(let text):
            if name.lowercased().contains("licen"), text.count > 1 { note(license: "\(name): \(text.quoted)") }
            note(date: text)
            if name.lowercased().contains("next") || name == "href", let next = try? WebURL(text),
                next.origin == url.origin, next.path == url.path
            {
                links.append(next)
            }
        case .number:
            guard let number = json.integerValue, number > 100_000_000,
                let date = WrittenDate(sinceEpoch: Double(number))
            else { return }
            note(date: date.iso8601)
        default: break
        }
    }

    /// `width` and `height`, also with the same words around them: `thumb_width`, `imageHeight`.
    private mutating func readSizes(_ members: [JSONValue.Member]) {
        for member in members {
            let name = member.name.lowercased()
            guard name.contains("width") || name == "w", let width = member.value.sizeValue else { continue }
            let other = name == "w" ? "h" : name.replacing("width", with: "height")
            guard let height = members.first(where: { $0.name.lowercased() == other })?.value.sizeValue else {
                continue
            }
            sizes.insert(Size(width: width, height: height))
        }
    }

    // MARK: Markup

    private mutating func read(markup: String) {
        for tag in markup.matches(of: /<[a-zA-Z][^<>]*>/).map(\.output) {
            let lowered = tag.lowercased()
            if lowered.contains("width"), let width = Self.number("width", in: lowered),
                let height = Self.number("height", in: lowered)
            {
                sizes.insert(Size(width: width, height: height))
            }
            if lowered.contains("licen"),
                lowered.contains("cc:license") || lowered.contains("rel=\"license\"")
                    || lowered.contains("creativecommons:license")
            {
                note(license: String(tag))
            }
        }
        for text in markup.matches(of: /[>"']([^<>"']{8,60})[<"']/).map(\.1) { note(date: String(text)) }
    }

    private static func number(_ name: String, in tag: String) -> Int? {
        guard let start = tag.firstRange(of: " \(name)=")?.upperBound else { return nil }
        return Int(tag[start...].drop { "\"'".contains($0) }.prefix { $0.isASCII && $0.isNumber })
    }

    private mutating func note(license: String) {
        if licenses.count < 3, !licenses.contains(license) { licenses.append(license) }
    }

    private mutating func note(date text: String) {
        guard text.contains(":"), let instant = Self.instant(of: WrittenDate(text)?.iso8601 ?? text) else { return }
        instants.insert(instant)
    }

    /// The seconds since 1970 of a time with a zone; nil for a day alone, or a time that may be any zone's.
    static func instant(of text: String) -> Int? {
        guard ISO8601Date(text)?.time?.offset != nil else { return nil }
        return DateTime(iso8601: text)?.secondsSince1970
    }

    /// The link to the next page of a `Link` header line (RFC 8288).
    private static func next(in line: String, at url: WebURL) -> WebURL? {
        for part in line.split(separator: ",") where part.contains("rel=\"next\"") || part.contains("rel=next") {
            guard let open = part.firstIndex(of: "<"), let close = part.firstIndex(of: ">"), open < close else {
                continue
            }
            return try? WebURL(String(part[part.index(after: open)..<close]))  // no URL, no link
        }
        return nil
    }
}

extension JSONValue {
    /// A number of pixels, also as digits in a text.
    fileprivate var sizeValue: Int? {
        guard let number = integerValue ?? textValue.flatMap({ Int($0) }), number > 0 else { return nil }
        return number
    }
}
