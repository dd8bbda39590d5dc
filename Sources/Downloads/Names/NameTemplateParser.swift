import ProviderModel

/// Reads the text of a `NameTemplate`.
struct NameTemplateParser {
    private let whole: String
    private var components: [[NameTemplate.Part]] = [[]]

    init(_ text: String) { whole = text }

    mutating func parse() throws(DownloadError) -> [[NameTemplate.Part]] {
        guard !whole.hasPrefix("/") else {
            throw fault("begins with “/”, expected a name below the folder; give the folder with --directory")
        }
        var rest = whole[...]
        if rest.hasSuffix(".{ext}") { rest = rest.dropLast(".{ext}".count) }
        while let first = rest.first {
            if first == "{" {
                guard let close = rest.firstIndex(of: "}") else { throw fault("has a “{” without its “}”") }
                let inside = rest[rest.index(after: rest.startIndex)..<close]
                components[components.count - 1].append(.value(try value(inside)))
                rest = rest[rest.index(after: close)...]
            } else {
                let literal = rest.prefix { $0 != "{" }
                take(literal)
                rest = rest[literal.endIndex...]
            }
        }
        try check()
        return components
    }

    private mutating func take(_ literal: Substring) {
        let pieces = literal.split(separator: "/", omittingEmptySubsequences: false)
        for (number, piece) in pieces.enumerated() {
            if number > 0 { components.append([]) }
            if !piece.isEmpty { components[components.count - 1].append(.text(String(piece))) }
        }
    }

    private func value(_ inside: Substring) throws(DownloadError) -> ItemExpression {
        do throws(ItemExpression.Fault) { return try ItemExpression(inside) } catch {
            if error == .field("ext") { throw fault("has {ext} inside, expected it at the end only, as “.{ext}”") }
            throw fault(error.message)
        }
    }

    private func check() throws(DownloadError) {
        for component in components {
            guard !component.isEmpty else { throw fault("has an empty name between two “/”, or at its end") }
            guard component != [.text(".")], component != [.text("..")] else {
                throw fault("leads out of the folder with “.” or “..”, expected names below it")
            }
        }
    }

    private func fault(_ what: String) -> DownloadError {
        DownloadError(.template, "the name template \(whole.quoted) \(what)")
    }
}
