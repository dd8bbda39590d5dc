import ProviderModel

/// How files are called: `{provider}/{id}-{title:slug:60}.{ext}`.
///
/// `/` in the template makes folders, in a value never. `{title|id}` takes the first that says something,
/// `{title|'untitled'}` ends with a text, `:` changes values. The ending follows what the file turns out to be.
package struct NameTemplate: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case text(String)
        case value(ItemExpression)
    }

    /// The parts of each folder's name, and of the file's at the end.
    let components: [[Part]]

    /// Names that say where a file is from and what it shows.
    package static let standard: NameTemplate = {
        do { return try NameTemplate("{provider}/{id}-{title:slug:60}.{ext}") } catch {
            preconditionFailure("the standard template does not parse: \(error)")
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

    /// What a name is made of, and what of it tells the item from all others.
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
