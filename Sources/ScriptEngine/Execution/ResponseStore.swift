import ProviderModel

/// The answers of the operation that is running; scripts hold their numbers.
final class ResponseStore {
    private var responses: [ProviderResponse] = []
    private var first = 0

    /// Keeps a response and gives its number.
    func add(_ response: ProviderResponse) -> Int {
        responses.append(response)
        return first + responses.count - 1
    }

    /// Drops all responses; their numbers are not used again.
    func removeAll() {
        first += responses.count
        responses.removeAll()
    }

    /// The response with a number, unless its operation is over.
    func response(_ number: Int) throws(NativeError) -> ProviderResponse {
        guard responses.indices.contains(number - first) else {
            throw .message("this response belongs to an earlier call")
        }
        return responses[number - first]
    }
}

extension ProviderResponse {
    /// The charset of the `Content-Type`, if it names one.
    var charset: String? {
        guard let type = headers.last(where: { $0.name.lowercased() == "content-type" })?.value else { return nil }
        for parameter in type.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingSpaces.lowercased() == "charset" else { continue }
            // Some write the quotes of another language.
            return parts[1].trimmingSpaces.trimmingQuotes.filter { $0 != "'" }
        }
        return nil
    }

    /// The body as a script reads it, without a byte order mark.
    var scriptText: ScriptText { text(as: isJSON ? .json : .xml) }

    /// The body as JSON, whatever it is labelled.
    var jsonText: ScriptText { text(as: .json) }

    private var isJSON: Bool {
        guard let type = headers.last(where: { $0.name.lowercased() == "content-type" })?.value else { return false }
        let media = type.prefix { $0 != ";" }.trimmingSpaces.lowercased()
        return media == "application/json" || media == "text/json" || media.hasSuffix("+json")
    }

    private func text(as markup: Markup) -> ScriptText {
        let text = body.withUnsafeBytes { Charset.text(of: $0, labelled: charset, as: markup) }
        return ScriptText(text.first == "\u{FEFF}" ? String(text.dropFirst()) : text)
    }
}

extension String {
    fileprivate var trimmingQuotes: String {
        count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
    }
}
