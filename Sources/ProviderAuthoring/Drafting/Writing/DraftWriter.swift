import ProviderModel

/// Writes the files of a draft.
struct DraftWriter {
    let id: ProviderID
    let operation: ProviderOperation
    let request: RequestPattern
    let answer: DraftedAnswer
    /// The entry of `auth`; nil for none.
    let authentication: String?
    /// The rates that the response's header lines declare.
    let rates: DeclaredRates

    private var url: WebURL { request.command.url }

    private var reading: any DraftedReading { answer.reading }

    /// The provider's file.
    var script: String {
        let helpers = reading.helpers.sorted()
        var text = helpers.isEmpty ? "" : "const { \(helpers.joined(separator: ", ")) } = require('imgscript');\n\n"
        if let site = reading.site {
            text += "/** The base of relative URLs in responses. */\n"
            text += "const \(ItemFields.site) = \((site + "/").asJavaScript);\n\n"
        }
        text += manifest
        text += "\n  \(operation): {\n"
        text +=
            "    request: (q) => (\(DraftedRequest(request, accept: reading.accept).literal(indentation: "    "))),\n"
        text += "    parse: (res) => (\(page(indentation: "    "))),\n"
        text += "  },\n};\n\n"
        return text + reading.function
    }

    /// The object that `parse` gives.
    private func page(indentation: String) -> String {
        var members: [String] = []
        if let total = answer.paging.total { members.append("total: \(rooted(total.expression))") }
        members.append("items: \(reading.items)")
        if let next = answer.paging.next { members.append("next: \(rooted(next))") }
        let short = "{ \(members.joined(separator: ", ")) }"
        if short.count + indentation.count < 96 { return short }
        return "{\n\(members.map { "\(indentation)  \($0),\n" }.joined())\(indentation)}"
    }

    private func rooted(_ expression: String) -> String { expression.replacing("res.json", with: reading.root) }

    private var manifest: String {
        let host = url.scheme == .http ? "http://\(url.authority)" : url.authority
        let media = reading.mediaHosts.isEmpty ? [host] : reading.mediaHosts
        var lines = [
            "/** @type {import('imgscript').Provider} */", "module.exports = {", "  contract: 1,",
            "  id: \(id.description.asJavaScript),",
            "  name: \(Self.title(of: id).asJavaScript),", "  version: '0.1.0',",
            "  homepage: \("\(url.scheme.rawValue)://\(Self.site(of: url))/".asJavaScript),",
            "  hosts: [\(host.asJavaScript)],", "  mediaHosts: [\(media.map(\.asJavaScript).joined(separator: ", "))],",
        ]
        if let authentication { lines.append("  auth: \(authentication), // help: the page where people get a key") }
        if let rate = rates.literal {
            lines.append("  limits: { pageSize: \(pageSize), rate: \(rate) }, // \(rates.note)")
        } else {
            let told = rates.note.isEmpty ? "as the source documents them" : "the response has \(rates.note)"
            lines.append("  limits: { pageSize: \(pageSize) }, // rate: ['100/1h'], reachable: …, \(told)")
        }
        lines.append(
            "  // terms: { url: 'https://…', license: '…', attribution: '…' }: read the terms, and link them here"
        )
        lines.append("  paging: '\(answer.paging.paging.rawValue)',")
        return lines.map { $0 + "\n" }.joined()
    }

    private var pageSize: String {
        guard let limit = request.part(.limit).flatMap({ Int($0.value) }) else {
            let count = max(reading.count, 1)
            return "{ min: \(count), max: \(count), default: \(count) }"
        }
        return limit > 20 ? "{ max: \(limit), default: \(limit) }" : "{ max: \(limit) }"
    }

    /// The test file.
    var test: String {
        let call = recordedCall
        var lines = [
            "const { cassette, expect, run, test } = require('imgscript/test');", "",
            "test('the recorded response is read', () => {", "  cassette('\(operation)');", "  const page = \(call);",
        ]
        lines += reading.expectations(total: answer.paging.total).map { "  \($0)" }
        lines.append("});")
        guard reading.hasFiles else { return lines.map { $0 + "\n" }.joined() }
        lines += [
            "", "test('every image has a file', () => {", "  cassette('\(operation)');",
            "  for (const item of \(call).items) expect(item.media.length).toBeGreaterThan(0);", "});",
        ]
        return lines.map { $0 + "\n" }.joined()
    }

    /// The call that the recorded answer is one to, whatever the limits become.
    private var recordedCall: String {
        var members: [String] = []
        if let text = request.part(.text)?.value { members.append("text: \(text.asJavaScript)") }
        if let limit = request.part(.limit).flatMap({ Int($0.value) }) { members.append("limit: \(limit)") }
        // A page further on was recorded as such.
        let places = [
            (RequestPattern.Role.page, "page", 1, 0), (.page0, "page", 0, 1), (.offset, "offset", 0, 0),
            (.offset1, "offset", 1, -1),
        ]
        for (role, name, first, shift) in places {
            guard let value = request.part(role).flatMap({ Int($0.value) }), value != first else { continue }
            members.append("\(name): \(value + shift)")
        }
        return "run.\(operation)(" + (members.isEmpty ? "" : "{ \(members.joined(separator: ", ")) }") + ")"
    }

    // MARK: The account

    /// What was made of the answer, line by line.
    var findings: [ProviderDraft.Finding] {
        var findings: [ProviderDraft.Finding] = []
        func add(_ subject: String, _ detail: String) {
            findings.append(ProviderDraft.Finding(subject: subject, detail: detail))
        }
        for (role, name) in [
            (RequestPattern.Role.text, "text"), (.page, "page"), (.page0, "page, from 0"), (.offset, "offset"),
            (.offset1, "offset, from 1"), (.cursor, "cursor"), (.limit, "page size"),
        ] {
            if let part = request.part(role) {
                add(name, "sent as \(part.shownName)\(part.value.isEmpty ? "" : ", here \(part.value.quoted)")")
            }
        }
        if let authentication { add("key", authentication) }
        if let rate = rates.literal { add("rate", "\(rate), by \(rates.note)") }
        findings += reading.findings
        if let path = answer.paging.total?.path { add("total", path.description) }
        add("paging", "'\(answer.paging.paging.rawValue)'" + (answer.paging.nextPath.map { ", by \($0)" } ?? ""))
        return findings
    }

    /// `my-source` as `My Source`.
    private static func title(of id: ProviderID) -> String {
        id.description.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }

    /// The site behind an API's host: `api.example.com` belongs to `example.com`.
    private static func site(of url: WebURL) -> String {
        let labels = url.host.split(separator: ".")
        guard labels.count > 2, ["api", "www", "data", "images-api", "rest"].contains(String(labels[0])) else {
            return url.authority
        }
        return labels.dropFirst().joined(separator: ".")
    }
}

extension RequestPattern.Part {
    /// The name of the part.
    fileprivate var shownName: String {
        switch place {
        case .query: name == RequestPattern.spread ? "the value of continue in the last response" : "?\(name)="
        case .form: "the form's \(name)"
        case .json(let path): "the body's \(path)"
        case .path: name.isEmpty ? "a part of the path" : "what follows /\(name)/ in the path"
        }
    }
}
