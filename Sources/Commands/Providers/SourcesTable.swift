import ImgScript
import ProviderModel

/// The providers as the Markdown table of `docs/sources.md`.
struct SourcesTable {
    /// The table's lines.
    let lines: [String]

    /// Creates the table, one row for each provider in the given order.
    init(_ manifests: [ProviderManifest]) {
        let head = ["source", "`-p`", "operations", "key", "licence", "limits"]
        let rows = [head, head.map { _ in "---" }] + manifests.map(Self.cells)
        lines = rows.map { "| \($0.joined(separator: " | ")) |" }
    }

    private static func cells(of manifest: ProviderManifest) -> [String] {
        let operations = manifest.operations.map(\.operation).filter { $0 != .session }
        return [
            link(manifest.name, manifest.homepage), "`\(manifest.id)`",
            operations.map(\.rawValue).joined(separator: ", "), key(of: manifest),
            manifest.terms.license.map { link($0, manifest.terms.url) } ?? none, limits(of: manifest),
        ]
    }

    private static let none = "–"

    private static func link(_ text: String, _ url: WebURL?) -> String {
        let text = text.replacing("|", with: "\\|")
        return url.map { "[\(text)](\($0))" } ?? text
    }

    private static func key(of manifest: ProviderManifest) -> String {
        guard !manifest.authentication.isEmpty else { return none }
        let page = manifest.authentication.compactMap(\.help).first.map { help in
            help.hasPrefix("https://") ? ": [get one](\(help))" : ": \(help)"
        }
        return (manifest.needsKey ? "needed" : "optional") + (page ?? "")
    }

    private static func limits(of manifest: ProviderManifest) -> String {
        let limits = manifest.limits
        let rates = limits.rates.map(words).joined(separator: ", ")
        let page = manifest.paging == .none ? nil : "\(limits.pageSize.maximum.grouped) a page"
        let reachable = limits.reachable.map { "\($0.grouped) results" }
        let parts = [rates.isEmpty ? nil : rates, page, reachable].compactMap(\.self)
        return parts.isEmpty ? none : parts.joined(separator: "; ")
    }

    /// `60 a minute`, `3,000 in 5 min`.
    private static func words(_ rate: Limits.Rate) -> String {
        let units = [1: "a second", 60: "a minute", 3_600: "an hour", 86_400: "a day"]
        return "\(rate.requests.grouped) \(units[rate.seconds] ?? "in \(Duration.seconds(rate.seconds).inWords)")"
    }
}
