import ProviderModel

extension ReviewedProvider {
    /// What the text itself shows: helpers that are taken and not used, numbers turned into text.
    var textRemarks: [ProviderRemark] {
        let tokens = outline.tokens
        var remarks: [ProviderRemark] = []
        func place(_ token: SourceTokens.Token) -> SourceLocation {
            SourceLocation(file: "\(manifest.id).js", line: token.line, column: token.column)
        }
        for index in tokens.indices.dropLast(3)
        where tokens[index].text == "id" && tokens[index + 1].text == ":" && tokens[index + 2].text == "String"
            && tokens[index + 3].text == "("
        {
            remarks.append(
                ProviderRemark(
                    "string-id", .hint, at: place(tokens[index + 2]),
                    "String(…) around an id is not needed, and turns a field that is gone into the id “undefined”",
                    fix: "give the id as it is: whole numbers are fine"))
        }
        for name in importedNames(tokens)
        where tokens.count(where: {
            $0.text == name.text && $0.kind == .name || $0.kind == .template && $0.text.contains(name.text)
        }) == 1 {
            remarks.append(
                ProviderRemark(
                    "unused-helper", .hint, at: place(name), "\(name.text) is required and never used",
                    fix: "leave it out of the braces"))
        }
        return remarks
    }

    /// The names of `const { a, b } = require('imgscript')`.
    private func importedNames(_ tokens: [SourceTokens.Token]) -> [SourceTokens.Token] {
        guard
            let end = tokens.indices.first(where: { index in
                index > 2 && tokens[index].kind == .string && tokens[index].text == "imgscript"
                    && tokens[index - 2].text == "require"
            }), let close = tokens[..<end].lastIndex(where: { $0.text == "}" }),
            let open = tokens[..<close].lastIndex(where: { $0.text == "{" })
        else { return [] }
        let names = tokens[(open + 1)..<close].filter { $0.kind == .name }
        return tokens[open..<close].contains { $0.text == ":" } ? [] : Array(names)
    }
}
