extension License {
    /// The licence in a word or two: `CC BY-SA 4.0` for `cc-by-sa-4.0`, else the name, else the id.
    package var shortName: String {
        let parts = id.lowercased().split(separator: "-")
        guard let family = parts.first, ["cc", "cc0", "pdm"].contains(family) else {
            return (name ?? id).withoutLicenseWord
        }
        if family == "pdm" { return "Public domain" }
        let version = parts.last.flatMap { $0.first?.isNumber == true ? String($0) : nil }
        let terms = parts.dropFirst().dropLast(version == nil ? 0 : 1).joined(separator: "-")
        return [family.uppercased(), terms.uppercased(), version ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension String {
    /// `Pixabay Content` for `Pixabay Content License`.
    fileprivate var withoutLicenseWord: String {
        for word in [" License", " Licence", " license", " licence"] where hasSuffix(word) && count > word.count {
            return String(dropLast(word.count))
        }
        return self
    }
}
