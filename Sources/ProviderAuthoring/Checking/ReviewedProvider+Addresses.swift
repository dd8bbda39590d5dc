import ProviderModel
import ProviderRuntime
import ProviderTesting

extension ReviewedProvider {
    /// What the addresses in the text show, whether or not a recorded response leads to them.
    var addressFindings: [ProviderFinding] {
        requestedAddresses.flatMap { token, url -> [ProviderFinding] in
            let place = SourceLocation(file: "\(manifest.id).js", line: token.line, column: token.column)
            var findings: [ProviderFinding] = []
            let isDeclared = (manifest.hosts + manifest.mediaHosts).contains {
                $0.matches(url, instance: subject.instance)
            }
            if !isDeclared {
                findings.append(
                    ProviderFinding(
                        "undeclared-host", .error, at: place,
                        "hosts has no \(url.authority.quoted): requests to it are refused",
                        fix: .plain("list it: hosts: ['\(url.scheme == .http ? url.origin : url.authority)']")))
            }
            let keys: Set<String> = ["key", "api_key", "apikey", "access_token", "client_id", "token"]
            if let pair = url.queryItems.first(where: { keys.contains($0.name.lowercased()) && !$0.value.isEmpty }) {
                findings.append(
                    ProviderFinding(
                        "key-in-url", .error, at: place,
                        "?\(pair.name)= in a URL: everybody who has the file has the key",
                        fix: .plain("auth: { type: 'query', name: '\(pair.name)' }, and leave the pair out")))
            }
            return findings
        }
    }

    /// Absolute URLs that requests are made of: `{ url: 'https://…'`, at the beginning of an object that is no other's member.
    private var requestedAddresses: [(token: SourceTokens.Token, url: WebURL)] {
        let tokens = outline.tokens
        return tokens.indices.dropFirst(2).dropLast(2).compactMap { index in
            guard tokens[index].text == "url", tokens[index + 1].text == ":", tokens[index - 1].text == "{",
                ["(", "yield", "return", "=>"].contains(tokens[index - 2].text)
            else { return nil }
            let token = tokens[index + 2]
            guard token.kind == .string || token.kind == .template else { return nil }
            // What is filled in ends what is known of the address.
            let text = token.text.drop { $0 == "`" }.prefix { $0 != "`" }
            let known = text.firstRange(of: "${").map { text[..<$0.lowerBound] } ?? text
            guard known.hasPrefix("http"), let url = try? WebURL(String(known)) else { return nil }  // a path is none
            return (token, url)
        }
    }

    /// Fields of recorded items that have nearly a name of the contract.
    var fieldFindings: [ProviderFinding] {
        var seen: Set<String> = []
        return subject.recordedItems.flatMap { call, _, item in
            MisspeltField.all(in: item).filter { seen.insert($0.path).inserted }.map { field in
                let token = outline.tokens.first { $0.text == field.name }
                return ProviderFinding(
                    "misspelt-field", .warning,
                    at: token.map { SourceLocation(file: "\(manifest.id).js", line: $0.line, column: $0.column) }
                        ?? place(of: call.operation),
                    "items have the field \(field.name), which the contract does not", fix: "is \(field.meant) meant?")
            }
        }
    }
}
