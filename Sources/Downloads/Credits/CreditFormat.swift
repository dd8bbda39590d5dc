import ProviderModel

/// The shape that the credits of a folder are written in.
package enum CreditFormat: String, Sendable, CaseIterable {
    /// `credits.md`, for people.
    case markdown = "md"
    /// `credits.json`, for programs.
    case json

    /// Raised whenever something else is written of the same credits, so that files that are there are written anew.
    static let version = 1

    /// The file's name.
    package var fileName: String { "credits.\(rawValue)" }

    /// What the file begins with; nothing else begins so, and nothing else is ever overwritten.
    var beginning: String {
        switch self {
        case .markdown: "<!-- Written by imgscript, anew after every download. -->\n"
        case .json: #"{"generator":"imgscript","credits":["#
        }
    }

    /// What the file ends with: the sentences that the sources want to be said, if any.
    func end(_ notices: [String]) -> String {
        switch self {
        case .markdown: notices.map { "\n\(MarkdownCredit.paragraph($0))\n" }.joined()
        case .json: "\n]\(notices.isEmpty ? "" : ",\n" + Self.json(notices))}\n"
        }
    }

    private static func json(_ notices: [String]) -> String {
        var json = JSONWriter()
        json.name("notices")
        json.array(notices) { $0.value($1) }
        return json.text
    }

    /// What stands before the first entry.
    var opening: StaticString {
        switch self {
        case .markdown: "\n# Image credits\n\n"
        case .json: "\n"
        }
    }

    /// What stands between two entries.
    var separator: StaticString {
        switch self {
        case .markdown: ""
        case .json: ",\n"
        }
    }

    /// Adds one file's entry to a text.
    func write(_ path: KeptText, _ credit: CreditTexts, to text: inout ByteBuffer) {
        switch self {
        case .markdown: MarkdownCredit.write(path, credit, to: &text)
        case .json: JSONCredit.write(path, credit, to: &text)
        }
    }
}
