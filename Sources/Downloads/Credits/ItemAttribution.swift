import ProviderModel

/// The line to show with an image, as text, HTML and Markdown: the same credit that downloads write.
public struct ItemAttribution: Hashable, Sendable {
    /// Plain text: the line that the source prescribes, else title, author, licence and source.
    public let text: String
    /// HTML with links to author, licence and page.
    public let html: String
    /// Markdown with the same links.
    public let markdown: String

    init(_ credit: Credit) {
        text = credit.line
        html = HTMLCredit.sentence(credit)
        markdown = MarkdownCredit.sentence(credit)
    }
}

/// Writes the attributions of one provider's items.
public struct AttributionWriter: Sendable {
    private let source: DownloadSource

    /// Creates a writer for a provider's items.
    package init(_ source: DownloadSource) { self.source = source }

    /// Writes the attribution of an item.
    ///
    /// - Parameter item: an item of the provider.
    /// - Returns: the attribution as text, HTML and Markdown.
    public func attribution(of item: Item) -> ItemAttribution {
        ItemAttribution(Credit(item, of: source, file: item.media.first?.url))
    }
}

/// A credit as a sentence of HTML; remote text is text in it, never markup.
enum HTMLCredit {
    /// Title, author, licence and source, with their links.
    static func sentence(_ credit: Credit) -> String {
        var text = ""
        if let title = credit.title { text += "“\(escape(title))”\(credit.author == nil ? "," : "") " }
        if let author = credit.author { text += "by \(link(author, credit.authorURL)), " }
        if let license = credit.license { text += "\(link(license, credit.licenseURL)), " }
        return text + link(credit.source, credit.page)
    }

    private static func link(_ text: String, _ url: String?) -> String {
        // A URL of another scheme, such as `javascript:`, never becomes a link.
        guard let url, url.isWebAddress else { return escape(text) }
        return "<a href=\"\(escape(url))\">\(escape(text))</a>"
    }

    /// Escapes markup, and leaves out what cannot be seen: control characters, and those that turn text around.
    private static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default:
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: escaped += " "
                case .format where scalar != "\u{200D}" && scalar != "\u{200C}": continue
                default: escaped.unicodeScalars.append(scalar)
                }
            }
        }
        return escaped
    }
}
