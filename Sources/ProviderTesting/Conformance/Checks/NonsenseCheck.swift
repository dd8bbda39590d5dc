import ProviderModel
import ProviderRuntime

/// No field holds what JavaScript makes of nothing.
struct NonsenseCheck: ConformanceCheck {
    let name = "no field says undefined"
    let reason = "“undefined”, “NaN” and “[object Object]” are what a missing value becomes when it is put into a text."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let items = subject.recordedItems
        guard !items.isEmpty else { return .skipped("no recorded items") }
        var findings = CheckFindings()
        for (call, index, item) in items {
            for found in Nonsense.found(in: item) {
                findings.fail(
                    TestReport.Problem(
                        "\(call): found \(found.text.quoted), expected no “\(found.word)”",
                        hint: "leave the field out where the source gives nothing",
                        location: subject.location(of: call.operation), path: "items[\(index)]\(found.path)"))
            }
        }
        return findings
    }
}

/// Words that a script's mistakes leave in texts.
enum Nonsense {
    /// A text with such a word, and where it stands in an item.
    struct Finding: Hashable, Sendable {
        var path: String
        var text: String
        var word: String
    }

    private static let words = ["undefined", "NaN", "null", "[object Object]", "Invalid Date"]

    /// Texts of an item with such a word; what a source says beyond the contract is its own.
    static func found(in item: Item) -> [Finding] {
        guard let json = JSONValue.found(in: item.contractJSON.description.utf8) else { return [] }
        var findings: [Finding] = []
        for member in json.members ?? [] where member.name != "extra" {
            collect(member.value, at: member.name.asPathStep, into: &findings)
        }
        return findings
    }

    /// The word in a text, where it stands alone.
    static func word(in text: String) -> String? {
        words.first { word in
            guard let range = text.firstRange(of: word) else { return false }
            let isAlone = { (character: Character?) in character.map { !$0.isLetter && !$0.isNumber } ?? true }
            let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : nil
            let after = text[range.upperBound...].first
            // “null” between spaces is a word that people write.
            if word == "null", text != word, before?.isWhitespace ?? true, after?.isWhitespace ?? true { return false }
            return isAlone(before) && isAlone(after)
        }
    }

    private static func collect(_ json: JSONValue, at path: String, into findings: inout [Finding]) {
        switch json {
        case .text(let text):
            if let word = word(in: text) { findings.append(Finding(path: path, text: text, word: word)) }
        case .array(let values):
            for (index, value) in values.enumerated() { collect(value, at: "\(path)[\(index)]", into: &findings) }
        case .object(let members):
            for member in members { collect(member.value, at: path + member.name.asPathStep, into: &findings) }
        default: break
        }
    }
}
