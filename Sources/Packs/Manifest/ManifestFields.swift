import ProviderModel

/// An object of `package.json` as it is read: each field in the form that is expected, or an error that says which.
struct ManifestFields {
    private let json: JSONValue
    /// Where the object stands; empty for the whole file.
    private let path: String

    init(_ json: JSONValue?, path: String = "") throws(PackError) {
        guard let json, let members = json.members else {
            let found = json.map { ", found \($0.kind)" } ?? ""
            let what = path.isEmpty ? "is no object" : "has no object “\(path)”"
            throw PackError(
                .manifest, "\(PackManifest.fileName) \(what)\(found)",
                hint: "a pack has \"imgscript\": { \"contract\": 1, \"providers\": [\"newsite.js\"] }")
        }
        // JavaScript takes the last one, others the first: a file that says both means to deceive one of them.
        var names: Set<String> = []
        for member in members where !names.insert(member.name).inserted {
            throw PackError(.manifest, "\(PackManifest.fileName) has \(member.name.quoted) twice")
        }
        self.json = json
        self.path = path
    }

    func text(_ name: String) -> String? { json[name]?.textValue }

    func requiredText(_ name: String) throws(PackError) -> String {
        guard let text = text(name), !text.isEmpty else { throw unexpected(name, "a text", found: json[name]?.kind) }
        return text
    }

    /// A list of texts; nil where there is none.
    func texts(_ name: String) throws(PackError) -> [String]? {
        guard let value = json[name] else { return nil }
        guard let elements = value.elements, elements.allSatisfy({ $0.textValue != nil }) else {
            throw unexpected(name, "a list of texts", found: value.kind)
        }
        return elements.compactMap(\.textValue)
    }

    /// An SPDX name, also in the old form `{ "type": "MIT" }`.
    func license() throws(PackError) -> String? {
        guard let value = json["license"] else { return nil }
        guard let text = value.textValue ?? value["type"]?.textValue, !text.isEmpty else {
            throw unexpected("license", "a name such as MIT", found: value.kind)
        }
        return text
    }

    /// Names with their ranges, as `lodash ^4`.
    func ranges(_ names: [String]) -> [String] {
        names.flatMap { name in
            (json[name]?.members ?? []).map { "\($0.name) \($0.value.textValue ?? "")" }
        }
    }

    /// The version of the contract, which has to be one that this engine speaks.
    func contract() throws(PackError) -> Int {
        guard let contract = json["contract"]?.integerValue, contract > 0 else {
            throw unexpected("contract", "a number such as \(ProviderManifest.contract)", found: json["contract"]?.kind)
        }
        guard contract <= ProviderManifest.contract else {
            throw PackError(
                .manifest,
                "the pack is written for contract \(contract), and this imgscript speaks \(ProviderManifest.contract)",
                hint: "a newer imgscript may take it")
        }
        return contract
    }

    /// Paths of provider files, each inside the pack and named after an id of its own.
    func providers() throws(PackError) -> [String] {
        guard let paths = try texts("providers"), !paths.isEmpty else {
            let found = json["providers"].map { $0.elements == nil ? $0.kind : "an empty list" }
            throw unexpected("providers", "a list of files such as [\"newsite.js\"]", found: found)
        }
        var known: Set<Substring> = []
        var providers: [String] = []
        for path in paths {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false).drop { $0 == "." }
            guard let file = parts.last, !path.hasPrefix("/"),
                parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." })
            else { throw unexpected("providers", "paths inside the pack", found: path.quoted) }
            guard file.hasSuffix(".js"), !file.hasSuffix("-theme.js"), ProviderID(String(file.dropLast(3))) != nil
            else {
                throw unexpected(
                    "providers", "files named after a provider’s id, such as newsite.js", found: path.quoted)
            }
            guard known.insert(file).inserted else {
                throw PackError(.manifest, "\(PackManifest.fileName) lists two providers named \(String(file).quoted)")
            }
            providers.append(parts.joined(separator: "/"))
        }
        return providers
    }

    func unexpected(_ name: String, _ expected: String, found: String?) -> PackError {
        let field = path.isEmpty ? name : "\(path).\(name)"
        return PackError(
            .manifest, "\(PackManifest.fileName): \(field): expected \(expected), found \(found ?? "none")")
    }
}
