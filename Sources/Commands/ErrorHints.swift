import ProviderModel

extension ProviderError {
    /// What helps, in words of the command line.
    var commandHint: String? {
        switch reason {
        case .missingKey(let server, let variables):
            let option = server.map { " --instance \($0)" } ?? ""
            return "imgscript auth set \(provider)\(option) stores it (or set \(variables.joined(separator: ", "))); "
                + "--sample shows sample results without one"
        case .missingInstance(let help):
            return "name one with --instance https://…" + (help.map { "; \($0)" } ?? "")
        case .unknownProvider(let known): return Self.hint(forUnknown: provider, known)
        case .exceedsGrant(let pack):
            return
                "imgscript pack update \(pack) puts changed files right, and shows what a newer version asks for, which "
                + "--accept hosts grants; imgscript pack remove \(pack) takes it away"
        case .damagedPack: return "imgscript pack install --frozen puts its files right"
        case nil: return hint
        }
    }

    private static func hint(forUnknown name: String, _ known: [String]) -> String {
        if name.contains(",") { return "one name at a time; --provider may be given several times" }
        let wanted = name.lowercased()
        if wanted != name, known.contains(wanted) || wanted == "all" { return "did you mean \(wanted.quoted)?" }
        let similar = known.filter { $0.hasPrefix(wanted.prefix(2)) || $0.contains(wanted) }
        guard similar.isEmpty || similar.count > 6 else {
            return "did you mean \(similar.map(\.quoted).joined(separator: " or "))?"
        }
        return "imgscript providers lists all"
    }
}
