import ProviderModel

/// The line to show with an image, as text, HTML and Markdown: the same credit that downloads write.
public struct ItemAttribution: Hashable, Sendable {
    /// Plain text: the line that the source prescribes, else title, author, licence and source.
    public let text: String
    /// HTML with links to author, licence and page.
    public let html: String
    /// Markdown with the same links.
    public let markdown: String

    /// The attribution of a credit.
    package init(_ credit: Credit) {
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
        if let title = credit.title { text += "“\(title.escapedMarkup)”\(credit.author == nil ? "," : "") " }
        if let author = credit.author { text += "by \(link(author, credit.authorURL)), " }
        if let license = credit.license { text += "\(link(license, credit.licenseURL)), " }
        return text + link(credit.source, credit.page)
    }

    private static func link(_ text: String, _ url: String?) -> String {
        // A URL of another scheme, such as `javascript:`, never becomes a link.
        guard let url, url.isWebAddress else { return text.escapedMarkup }
        return "<a href=\"\(url.escapedMarkup)\">\(text.escapedMarkup)</a>"
    }
}

extension String {
    /// The text for HTML and XML: markup is escaped, and what cannot be seen is left out, such as characters that turn text around.
    var escapedMarkup: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            // XML 1.0 §2.2.
            case "\u{fffe}", "\u{ffff}": continue
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
