import ProviderModel
import Synchronization

/// A provider's patterns for pages and short forms, read when the first text is held against them: most runs name none.
final class PageMatcher: Sendable {
    private struct Rule: Sendable {
        let pattern: PagePattern
        let id: Template
        let type: Item.Kind
    }

    private let manifest: ProviderManifest
    private let instance: WebURL?
    private let rules = Mutex<[Rule]?>(nil)

    /// The patterns of a manifest, for pages of `instance`.
    init(_ manifest: ProviderManifest, instance: WebURL?) {
        self.manifest = manifest
        self.instance = instance
    }

    /// The item that the first fitting pattern makes of a page or a short form; nil when none fits.
    func item(for subject: PagePattern.Subject) -> Item? {
        for rule in known() {
            guard let names = rule.pattern.names(in: subject) else { continue }
            var item = Item(provider: manifest.id, id: rule.id.filled { names[$0] }, type: rule.type)
            item.page = subject.url
            return item
        }
        return nil
    }

    private func known() -> [Rule] {
        rules.withLock { rules in
            if let rules { return rules }
            let read = manifest.matches.compactMap { match in
                PagePattern(match.pattern, instance: instance).map {
                    Rule(pattern: $0, id: Template(match.id), type: match.type)
                }
            }
            rules = read
            return read
        }
    }
}
