import ProviderModel

/// The format of a folder's credits file.
public enum CreditFormat: String, Sendable, CaseIterable {
    /// `credits.md`, for readers.
    case markdown = "md"
    /// `credits.json`, for programs.
    case json

    /// Raised whenever other text is written for the same credits, so that existing files are written anew.
    static let version = 1

    /// The file's name.
    package var fileName: String { "credits.\(rawValue)" }

    /// The beginning of the file; nothing else begins so, and nothing else is ever overwritten.
    var beginning: String {
        switch self {
        case .markdown: "<!-- Written by imgscript; updated by every download. -->\n"
        case .json: #"{"generator":"imgscript","credits":["#
        }
    }

    /// The end of the file: the sentences that the sources want to be said, if any.
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

    /// What stands before an entry.
    func separator(isFirst: Bool) -> String {
        switch self {
        case .markdown: isFirst ? "\n# Image credits\n\n" : ""
        case .json: isFirst ? "\n" : ",\n"
        }
    }

    /// The entry of a file.
    func entry(_ credit: Credit, path: String) -> String {
        switch self {
        case .markdown: MarkdownCredit.entry(credit, path: path)
        case .json: Self.json(credit, path: path)
        }
    }

    private static func json(_ credit: Credit, path: String) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("path", path)
            json.member("provider", credit.provider)
            json.member("id", credit.id)
            json.member("title", credit.title)
            if let author = credit.author {
                json.name("author")
                json.object { json in
                    json.member("name", author)
                    json.member("url", credit.authorURL)
                }
            }
            json.name("source")
            json.object { json in
                json.member("name", credit.source)
                json.member("url", credit.page)
            }
            if let license = credit.licenseID {
                json.name("license")
                json.object { json in
                    json.member("id", license)
                    json.member("name", credit.license)
                    json.member("url", credit.licenseURL)
                }
            }
            json.member("attribution", credit.line)
        }
        return json.text
    }
}
