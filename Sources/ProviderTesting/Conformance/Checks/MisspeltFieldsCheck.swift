import ProviderModel

/// No field has nearly the name of one of the contract.
struct MisspeltFieldsCheck: ConformanceCheck {
    let name = "fields have the contract's names"
    let reason = "A field that the contract does not name is kept as extra, and never shown, searched or filtered by."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let items = subject.recordedItems
        guard !items.isEmpty else { return .skipped("no recorded items") }
        var findings = CheckFindings()
        for (call, index, item) in items {
            for field in MisspeltField.all(in: item) {
                findings.warn(
                    "\(call): found the field \(field.name.quoted), expected \(field.meant.quoted)",
                    hint: .plain("rename it: \(field.meant)"), location: subject.location(of: call.operation),
                    path: "items[\(index)].\(field.path)")
            }
        }
        return findings
    }
}

/// A member of an item that the contract does not name, and the field that is likely meant.
package struct MisspeltField: Hashable, Sendable {
    /// `media[0].widht`.
    package let path: String
    /// `widht`.
    package let name: String
    /// `width`.
    package let meant: String

    /// The fields of an item that are likely misspelt; a name whose field is there is none.
    package static func all(in item: Item) -> [MisspeltField] {
        guard let extra = item.extra.flatMap({ JSONValue.found(in: $0.description.utf8) }) else { return [] }
        let known = JSONValue.found(in: item.contractJSON.description.utf8)
        return (extra.members ?? []).compactMap { member in
            let steps = member.name.split(separator: ".").map(String.init)
            guard let name = steps.last, steps.count <= 2 else { return nil }
            let parent = steps.count == 1 ? nil : steps[0].prefix { $0 != "[" }.description
            guard let names = fields[parent ?? ""], !names.contains(name), let meant = name.nearest(among: names) else {
                return nil
            }
            let holder = parent.map { known?[$0] } ?? known
            let object = holder?.elements?.first ?? holder
            return object?[meant] == nil ? MisspeltField(path: member.name, name: name, meant: meant) : nil
        }
    }

    /// The fields of an item, and of its parts.
    private static let fields: [String: [String]] = [
        "": ItemSchema.contract.names.filter { $0 != "extra" }, "author": ItemSchema.author.names,
        "license": ItemSchema.license.names, "media": ItemSchema.media.names,
    ]
}
