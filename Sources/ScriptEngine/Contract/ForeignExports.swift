import ProviderModel

/// What a file exports that is no provider: it has nothing of one, and something else instead.
struct ForeignExports {
    private let names: [String]

    /// Nil where any of a provider is there, or where names are nearly its fields: then each is told what is wrong with it.
    init?(_ first: ContractViolation) {
        let all = [first] + first.others
        let missing = all.filter { $0.message.hasSuffix("found undefined") }.map(\.path)
        guard ContractReader.requiredMembers.allSatisfy({ missing.contains($0.name) }) else { return nil }
        let others = all.filter { !missing.contains($0.path) }
        names = others.map(\.path)
        guard others.contains(where: { $0.message.place(of: "did you mean") == nil }),
            names.allSatisfy({ Operation(rawValue: $0) == nil })
        else { return nil }
    }

    /// One sentence about all of it.
    var violation: ContractViolation {
        let shown = names.prefix(3).joined(separator: ", ")
        let more = names.count > 3 ? " and \(names.count - 3) more" : ""
        return ContractViolation(
            "expected \(ProviderScript.expectation) with contract, id, name, version, hosts and mediaHosts, found \(shown)\(more) "
                + "alone, as in a file that providers require")
    }
}
