import ProviderModel

/// A recorded request as a function of `q`, in JavaScript.
struct DraftedRequest {
    private let request: RequestPattern

    /// What is read, where it is not JSON.
    private let accept: String?

    init(_ request: RequestPattern, accept: String?) {
        self.request = request
        self.accept = accept
    }

    /// The object that the host makes the request of.
    func literal(indentation: String) -> String {
        let inner = indentation + "  "
        var members = ["url: \(url)"]
        if request.command.method != "GET" { members.append("method: \(request.command.method.asJavaScript)") }
        let query = request.parts.filter { $0.place == .query }
        if !query.isEmpty { members.append("query: \(pairs(query, inner))") }
        let headers = request.command.headers.filter { !["content-type", "accept"].contains($0.name.lowercased()) }
        if !headers.isEmpty {
            members.append(
                "headers: { \(headers.map { "\($0.name.asMemberName): \($0.value.asJavaScript)" }.joined(separator: ", ")) }"
            )
        }
        if let body = body(inner) { members.append(body) }
        if let accept { members.append("accept: \(accept)") }
        let short = "{ \(members.joined(separator: ", ")) }"
        if short.count + indentation.count < 90, !short.contains("\n") { return short }
        return "{\n\(members.map { "\(inner)\($0),\n" }.joined())\(indentation)}"
    }

    private var url: String {
        let url = request.command.url
        let inPath = request.parts.filter { if case .path = $0.place { $0.role != .constant } else { false } }
        guard !inPath.isEmpty else { return (url.origin + url.path).asJavaScript }
        var segments = url.path.split(separator: "/", omittingEmptySubsequences: false).map {
            $0.replacing("`", with: "%60").replacing("${", with: "%24{")
        }
        for part in inPath {
            guard case .path(let index) = part.place else { continue }
            segments[index] = part.role == .text ? "${encodeURIComponent(q.text)}" : "${\(value(of: part))}"
        }
        return "`\(url.origin)\(segments.joined(separator: "/"))`"
    }

    /// Pairs of a query or a form; a name that occurs twice has a list.
    private func pairs(_ parts: [RequestPattern.Part], _ indentation: String) -> String {
        var names: [String] = []
        for part in parts where !names.contains(part.name) { names.append(part.name) }
        let members = names.map { name in
            guard name != RequestPattern.spread else { return "...q.cursor" }
            let values = parts.filter { $0.name == name }.map(value)
            return "\(name.asMemberName): \(values.count == 1 ? values[0] : "[\(values.joined(separator: ", "))]")"
        }
        let short = "{ \(members.joined(separator: ", ")) }"
        guard short.count + indentation.count > 100 else { return short }
        return "{\n\(members.map { "\(indentation)  \($0),\n" }.joined())\(indentation)}"
    }

    /// The expression of a part's value.
    private func value(of part: RequestPattern.Part) -> String {
        // What the recorded request did without is sent from the second page on.
        let isAdded = part.isAdded
        switch part.role {
        case .text: return "q.text"
        case .page: return isAdded ? "q.page > 1 ? q.page : null" : "q.page"
        case .page0: return isAdded ? "q.page || null" : "q.page"
        case .offset: return isAdded ? "q.offset || null" : "q.offset"
        case .offset1: return "q.offset + 1"
        case .limit: return "q.limit"
        case .cursor:
            guard case .json = part.place, part.value.isEmpty else {
                return isAdded ? "q.cursor" : "q.cursor ?? \(part.value.asJavaScript)"
            }
            // The first page's request has no such member, or one that is null.
            return isAdded ? "q.cursor ?? undefined" : "q.cursor ?? null"
        case .constant: return part.value.asJavaScript
        }
    }

    private func body(_ indentation: String) -> String? {
        if let json = request.json { return "json: \(literal(of: json, FieldPath(), indentation))" }
        let form = request.parts.filter { $0.place == .form }
        if !form.isEmpty { return "form: \(pairs(form, indentation))" }
        guard !request.command.body.isEmpty else { return nil }
        return "body: \(String(decoding: request.command.body, as: UTF8.self).asJavaScript)"
    }

    private func literal(of json: JSONValue, _ path: FieldPath, _ indentation: String) -> String {
        if let part = request.parts.first(where: { $0.place == .json(path) }), part.role != .constant {
            return value(of: part)
        }
        switch json {
        case .object(let members):
            let written = members.map {
                "\($0.name.asMemberName): \(literal(of: $0.value, path.appending(.name($0.name)), indentation + "  "))"
            }
            let short = "{ \(written.joined(separator: ", ")) }"
            guard short.count + indentation.count > 100 || short.contains("\n") else { return short }
            return "{\n\(written.map { "\(indentation)  \($0),\n" }.joined())\(indentation)}"
        case .array(let values):
            return "[\(values.map { literal(of: $0, path.appending(.first), indentation) }.joined(separator: ", "))]"
        case .text(let text) where text.contains("\n"):
            return "`\(text.replacing("\\", with: "\\\\").replacing("`", with: "\\`").replacing("${", with: "\\${"))`"
        case .text(let text): return text.asJavaScript
        default: return json.compact
        }
    }
}
