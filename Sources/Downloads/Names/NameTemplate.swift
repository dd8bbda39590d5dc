import ProviderModel

/// The template of file names: `{provider}/{id}-{title:slug:60}.{ext}`.
///
/// `/` in the template makes folders, in a value it does not. `{title|id}` is the first field with a value,
/// `{title|'untitled'}` ends with a literal, `:` applies filters. The extension follows the file's content.
package struct NameTemplate: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case text(String)
        case value(ItemExpression)
    }

    /// The parts of each folder's name, and of the file's at the end.
    let components: [[Part]]

    /// Whether it says itself which of an item's files one is.
    var namesFile: Bool {
        components.joined().contains { part in
            guard case .value(let expression) = part else { return false }
            return expression.fields.contains { [.named("file"), .media(.chosen, "file")].contains($0) }
        }
    }

    /// Names that say where a file is from and what it shows.
    package static let `default`: NameTemplate = {
        do { return try NameTemplate(DownloadOptions.defaultName) } catch {
            preconditionFailure("the default template does not parse: \(error)")
        }
    }()

    /// Reads a template.
    package init(_ text: String) throws(DownloadError) {
        var parser = NameTemplateParser(text)
        components = try parser.parse()
    }

    /// The folders and the name of a file, safe and without its ending.
    package func name(of subject: ItemSubject) -> PlannedName {
        var names: [SafeFileName] = []
        var isAltered = false
        for component in components {
            let written = Self.text(of: component, subject)
            let name = SafeFileName(written.text)
            isAltered = isAltered || name.isAltered && written.identity.map { !name.holds($0) } ?? false
            names.append(name)
        }
        let stem = names.removeLast().description
        return PlannedName(folders: names.map(\.description), stem: stem, hasAlteredIdentity: isAltered)
    }

    /// What a name is made of, and which part of it identifies the item.
    private static func text(of parts: [Part], _ subject: ItemSubject) -> (text: String, identity: String?) {
        var text = ""
        var identity: String?
        var endsEmpty = false
        for part in parts {
            switch part {
            case .text(let literal):
                text += literal
                endsEmpty = false
            case .value(let expression):
                let found = expression.found(in: subject)
                if let found, found.field == .named("id") { identity = found.text }
                text += found?.text ?? ""
                endsEmpty = found == nil
            }
        }
        // `{id}-{title}` without a title is not to end with a dash.
        if endsEmpty { text = text.droppingEnd { "-_. ,".contains($0) } }
        return (text.isEmpty ? "unknown" : text, identity)
    }
}

/// Reads the text of a `NameTemplate`.
private struct NameTemplateParser {
    private let whole: String
    private var components: [[NameTemplate.Part]] = [[]]

    init(_ text: String) { whole = text }

    mutating func parse() throws(DownloadError) -> [[NameTemplate.Part]] {
        guard !whole.hasPrefix("/") else {
            throw fault("begins with \"/\" (expected a name below the folder)")
        }
        var rest = whole[...]
        if rest.hasSuffix(".{ext}") { rest = rest.dropLast(".{ext}".count) }
        while let first = rest.first {
            if first == "{" {
                guard let close = rest.firstIndex(of: "}") else { throw fault("has a \"{\" without \"}\"") }
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
            if error == .field("ext") { throw fault("has {ext} inside (expected \".{ext}\" at the end)") }
            throw fault(error.message)
        }
    }

    private func check() throws(DownloadError) {
        for component in components {
            guard !component.isEmpty else { throw fault("has an empty name between two \"/\", or at its end") }
            guard component != [.text(".")], component != [.text("..")] else {
                throw fault("leads out of the folder with \".\" or \"..\" (expected names below it)")
            }
        }
    }

    private func fault(_ what: String) -> DownloadError {
        DownloadError(.template, "invalid name template \(whole.quoted): \(what)")
    }
}
