import ImgScript
import ProviderAuthoring
import ProviderModel
import ProviderRuntime
import ProviderTesting

/// What is shown of a run of a provider under development.
struct DevelopmentScreen {
    let terminal: Terminal
    let isSample: Bool
    let showsResponse: Bool

    /// The most changes that are shown.
    private static let changeLimit = 20
    /// The most fields of an item that are shown.
    private static let fieldLimit = 30

    /// A step, and below a response its content.
    func lines(of event: TraceEvent) -> [String] {
        // The error stands below, with its location.
        if case .failed = event.step { return [] }
        let line = TraceLine(event, isSample: isSample)
        let kind = terminal.paint(line.kind, .bold) + String(repeating: " ", count: 9 - line.kind.count)
        let head = kind + TerminalText.line(line.detail)
        guard case .answer(let response, _, _) = event.step else { return [head] }
        let shown = event.operation == .session ? names(in: response.body) : preview(of: response.body)
        return [head]
            + shown.map { String(repeating: " ", count: 9) + terminal.paint($0, .dim) }
    }

    /// The members of the response to a login, whose texts are secrets.
    private func names(in body: [UInt8]) -> [String] {
        (JSONValue.found(in: body)?.members ?? []).prefix(8).map { member in
            let isNumber = member.value.integerValue != nil
            return TerminalText.line("\(member.name): \(isNumber ? member.value.preview : SecretPatterns.mask)")
        }
    }

    /// The members of a JSON response, or the beginning of a text.
    private func preview(of body: [UInt8]) -> [String] {
        let room = max(20, terminal.width - 10)
        if showsResponse { return ResponseOutline(of: body).lines.map { line(of: $0).cut(to: room) } }
        guard let json = JSONValue.found(in: body) else {
            let start = String(decoding: body.prefix(400), as: UTF8.self)
            return body.isEmpty ? [] : [TerminalText.line(start).cut(to: room)]
        }
        guard let members = json.members, !members.isEmpty else {
            return [TerminalText.line(json.preview).cut(to: room)]
        }
        let shown = members.prefix(8).map { TerminalText.line("\($0.name): \($0.value.preview)").cut(to: room) }
        return shown + (members.count > shown.count ? ["and \(members.count - shown.count) more"] : [])
    }

    /// A place in a response, how often it is there, and the value at the first: `items[].id ×20  17`.
    private func line(of place: ResponseOutline.Line) -> String {
        let count = place.count > 1 ? " ×\(place.count)" : ""
        return TerminalText.line("\(place.place)\(count)  \(place.value)")
    }

    /// An error with its location in the file.
    func lines(of error: any Error, in path: String) -> [String] {
        guard let error = error as? ProviderError else {
            return [terminal.paint(TerminalText.line("\(error)"), .bad)]
        }
        var lines = ([error] + error.others).map { terminal.paint(TerminalText.line($0.description), .bad) }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        if let location = error.location, let text = ReportOutput.text(of: "\(folder)/\(location.file)"),
            let frame = CodeFrame(of: location, in: text)
        {
            lines += frame.lines.map { line in
                let text = TerminalText.indented(line.text)
                return line.isMarked
                    ? terminal.paint(line.gutter, .bad) + text : terminal.paint(line.gutter + text, .dim)
            }
        }
        if let hint = ErrorHint.text(for: error) { lines.append("hint: " + TerminalText.line(hint)) }
        return lines
    }

    /// Every field of the first item, and a line for each of the next; `run` names an earlier run that they are of.
    func lines(of items: [Item], from run: String? = nil) -> [String] {
        guard let first = items.first, let json = JSONValue.found(in: first.contractJSON.description.utf8) else {
            return []
        }
        let fields = json.leaves(at: "").map { path, value in
            "  " + terminal.paint(TerminalText.line(path), .dim) + "  "
                + TerminalText.line(value).cut(to: max(20, terminal.width - path.count - 5))
        }
        let others = items.dropFirst().prefix(4).enumerated().map { index, item in
            let title = item.title ?? item.tags.prefix(4).joined(separator: ", ")
            let head = "item \(index + 2)  "
            let row = TerminalText.line(item.id) + "  " + TerminalText.line(title)
            return "  " + terminal.paint(head, .dim) + row.cut(to: max(20, terminal.width - head.count - 3))
        }
        let shown =
            fields.prefix(Self.fieldLimit)
            + (fields.count > Self.fieldLimit ? ["  and \(fields.count - Self.fieldLimit) more fields"] : [])
        let more = items.count > 5 ? [terminal.paint("  and \(items.count - 5) more", .dim)] : []
        return ["", terminal.paint("item 1" + (run.map { " of \($0)" } ?? ""), .bold)] + shown + others + more
    }

    /// What changed in the items since the last run.
    func lines(from before: [JSONValue], to after: [JSONValue]) -> [String] {
        let changes = JSONDifference(from: .array(before), to: .array(after)).changes
        let title = terminal.paint("since the last run", .bold)
        guard !changes.isEmpty else { return ["", title + terminal.paint("  nothing changed", .dim)] }
        let shown = changes.prefix(Self.changeLimit).map { change -> String in
            let path = TerminalText.line("items" + change.path.dropFirst())
            switch (change.before.map(TerminalText.line), change.after.map(TerminalText.line)) {
            case (let old?, let new?):
                return "  ~ \(path)  " + terminal.paint(old, .bad) + " → " + terminal.paint(new, .good)
            case (nil, let new?): return terminal.paint("  + \(path)  \(new)", .good)
            case (let old, nil): return terminal.paint("  - \(path)  \(old ?? "")", .bad)
            }
        }
        let more = changes.count > shown.count ? ["  and \(changes.count - shown.count) more"] : []
        return ["", title] + shown + more
    }
}

extension JSONValue {
    /// Every value in it that holds no others, with its path: `media[0].url`.
    fileprivate func leaves(at path: String) -> [(path: String, value: String)] {
        switch self {
        case .object(let members) where !members.isEmpty:
            members.flatMap { $0.value.leaves(at: path.isEmpty ? $0.name : path + $0.name.asPathStep) }
        case .array(let values) where values.contains { $0.members != nil || $0.elements != nil }:
            values.enumerated().flatMap { $1.leaves(at: "\(path)[\($0)]") }
        case .array: [(path, compact)]
        case .text(let text): [(path, text)]
        default: [(path, compact)]
        }
    }
}

extension TerminalText {
    /// A line whose spaces at the beginning say something.
    static func indented(_ text: String) -> String {
        String(repeating: " ", count: text.prefix { $0 == " " }.count) + line(text)
    }
}
