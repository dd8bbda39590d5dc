import ImgScript
import ProviderAuthoring
import ProviderModel

/// Prints what there is to say about one provider's file.
struct CheckPrinter {
    private let provider: CheckedProvider

    init(_ provider: CheckedProvider) { self.provider = provider }

    /// The file's state, then each finding with its place and its mend.
    func lines(on terminal: Terminal) -> [String] {
        var list = CheckList()
        if let manifest = provider.manifest, provider.isUsable {
            list.add(.good, "\(manifest.id) \(manifest.version)", "keeps to contract \(ProviderManifest.contract)")
            list.add(.good, "operations", manifest.operations.map(\.operation.rawValue).joined(separator: ", "))
        } else {
            let count = provider.remarks.count { $0.severity == .error }
            list.add(.bad, provider.path, "\(count) \(count == 1 ? "error" : "errors")")
        }
        return list.lines(on: terminal) + provider.remarks.flatMap { lines(of: $0, on: terminal) }
    }

    private func lines(of remark: ProviderRemark, on terminal: Terminal) -> [String] {
        let style = remark.severity.style
        let head = "\(TerminalText.line(place(of: remark))): \(terminal.style.paint(remark.severity.rawValue, style)): "
        let rule = terminal.style.paint(" [\(remark.rule)]", .dim)
        // Nobody looks for the rest of a piece of code on the next line of a file or a log.
        let width = terminal.isTerminal ? max(terminal.width - 4, 20) : Int.max
        let fix = TextWrapping(width: width).lines(of: TerminalText.line(remark.fix))
        return [head + TerminalText.line(remark.message) + rule]
            + fix.enumerated().map { ($0 == 0 ? terminal.style.paint("  → ", style) : "    ") + $1 }
    }

    private func place(of remark: ProviderRemark) -> String {
        let folder = provider.path.lastIndex(of: "/").map { String(provider.path[...$0]) }
        return folder?.path(to: remark.location.description) ?? remark.location.description
    }

    /// The findings of all files as one JSON text.
    static func json(_ checked: [CheckedProvider]) -> String {
        JSONValue.array(
            checked.map { provider in
                .object([
                    .init("file", .text(provider.path)),
                    .init("id", provider.manifest.map { .text($0.id.description) } ?? .null),
                    .init("version", provider.manifest.map { .text($0.version) } ?? .null),
                    .init("usable", .boolean(provider.isUsable)),
                    .init("remarks", .array(provider.remarks.map(CheckPrinter(provider).json))),
                ])
            }
        ).pretty
    }

    private func json(_ remark: ProviderRemark) -> JSONValue {
        .object([
            .init("rule", .text(remark.rule)), .init("severity", .text(remark.severity.rawValue)),
            .init("file", .text(remark.location.file)), .init("line", .number("\(remark.location.line)")),
            .init("column", .number("\(remark.location.column)")), .init("message", .text(remark.message)),
            .init("mend", .text(remark.fix)),
        ])
    }
}

extension ProviderRemark.Severity {
    fileprivate var style: TextStyle {
        switch self {
        case .error: .bad
        case .warning: .warning
        case .hint: .dim
        }
    }
}
