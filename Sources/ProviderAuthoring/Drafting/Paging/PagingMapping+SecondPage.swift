import HTTPTypes
import ProviderModel
import ProviderRuntime

/// The part of a request that is another one for the second page.
struct PageDifference: Sendable {
    /// The part as the second request has it.
    let part: RequestPattern.Part
    /// Its value in the first request; nil where that did without it.
    let before: String?

    /// The roles that tell pages apart.
    static let roles: Set<RequestPattern.Role> = [.page, .page0, .offset, .offset1, .cursor]

    /// Compares the requests of two pages; nil when they differ in nothing that a script could send.
    init?(from first: RequestPattern, to second: RequestPattern) {
        let changed = second.parts.compactMap { part -> (part: RequestPattern.Part, before: String?)? in
            let old = first.parts.first { $0.place == part.place && $0.name == part.name && !$0.isAdded }
            if case .path = part.place, old == nil { return nil }
            let isOther = part.role == .limit || SecretPatterns.isSecretName(part.name)
            return old?.value == part.value || isOther ? nil : (part, old?.value)
        }
        let known = changed.first { Self.roles.contains($0.part.role) }
        let counted = changed.first { Int($0.part.value) != nil }
        guard let found = known ?? counted ?? changed.first else { return nil }
        (part, before) = found
    }

    /// What the part counts, with so many items on the first page.
    func role(count: Int?, limit: Int?) -> RequestPattern.Role {
        let isNamed = RequestPattern.offsets.contains(NameWords(part.name).joined)
        guard let now = Int(part.value), before == nil || before.flatMap({ Int($0) }) != nil else { return .cursor }
        let old = before.flatMap { Int($0) }
        if isNamed { return old == 1 ? .offset1 : .offset }
        switch (old, now) {
        // Two images a page are rarer than pages that are counted.
        case (nil, 2), (1, 2): return .page
        case (nil, 1), (0, 1): return .page0
        default: break
        }
        let isByItems = [count, limit].contains(now - (old ?? 0))
        if isByItems { return old == 1 ? .offset1 : .offset }
        return old.map { now == $0 + 1 } == true ? .page : .cursor
    }
}

extension PagingMapping {
    /// Takes what the request of the second page shows: the name that sends the place, and what counts it.
    mutating func settle(
        by second: RequestPattern, answer: JSONValue? = nil, list: AnswerList? = nil, headers: HTTPFields
    ) {
        guard let difference = PageDifference(from: request, to: second) else {
            return note("the request of the second page differs in no parameter: paging is '\(paging.rawValue)'")
        }
        let count = list?.items.count
        let role = difference.role(count: count, limit: request.part(.limit).flatMap { Int($0.value) })
        let named = request.parts.first { $0.place == difference.part.place && $0.name == difference.part.name }
        // What the answer has shown already.
        if let named, named.role == role, role != .cursor || next != nil { return forgetGuesses() }
        let isSame = role == .cursor && nextPath?.value(in: answer ?? .null)?.isText(difference.part.value) == true
        let known = isSame ? next : nil
        forgetGuesses()
        release()
        set(difference, to: role)
        switch role {
        case .page, .page0: take(role == .page ? .page : .page0)
        case .offset, .offset1: take(.offset)
        default:
            guard let found = known ?? expression(of: difference.part.value, answer, list, headers) else {
                take(.none)
                return note(
                    "nothing in the first response is \(difference.part.value.quoted), which \(difference.part.name) of the "
                        + "second page has: paging is 'none'")
            }
            take(.cursor, next: found)
        }
    }

    /// The place in the first response where a token of the second request stands.
    private func expression(
        of token: String, _ answer: JSONValue?, _ list: AnswerList?, _ headers: HTTPFields
    ) -> String? {
        if let answer, let list {
            if let field = list.fieldsAround(in: answer).first(where: { $0.1.isText(token) }) {
                return field.0.expression(from: "res.json", isCertain: { $0.steps.count <= 1 }) + " ?? null"
            }
            if let last = list.items.last?.members?.first(where: { $0.value.isText(token) }) {
                return "\(list.path.expression(from: "res.json")).at(-1)?\(last.name.asPathStep) ?? null"
            }
        }
        return headers.first { $0.value == token }.map {
            "res.headers[\($0.name.rawName.lowercased().asJavaScript)] ?? null"
        }
    }
}

extension JSONValue {
    /// Whether a request would send the value as this text.
    fileprivate func isText(_ text: String) -> Bool { textValue == text || textValue == nil && compact == text }
}
