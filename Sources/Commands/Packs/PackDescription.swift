import Packs
import ProviderModel
import ProviderRuntime

/// A pack as people judge it before they use it: what it is, who signed it, what it asks for.
struct PackDescription {
    let candidate: PackCandidate

    init(_ candidate: PackCandidate) { self.candidate = candidate }

    /// All that there is to say.
    func lines(on terminal: Terminal) -> [String] {
        let manifest = candidate.manifest
        var lines = [TableCell("\(manifest.name) \(manifest.version)", .bold).rendered(on: terminal)]
        var table = KeyValueTable()
        // A stranger's text may not push what is asked for off the screen.
        table.add("About", manifest.summary.map { TableCell($0.cut(to: 300)) })
        table.add("Licence", TableCell(manifest.license ?? "none stated", manifest.license == nil ? .warning : .plain))
        table.add("From", TableCell(candidate.fetched.resolved ?? candidate.fetched.source.description))
        let size = candidate.files.reduce(0) { $0 + $1.size }
        table.add(
            "Content", TableCell("\(candidate.files.count) files, \(size.inBytes)"),
            TableCell("\(candidate.fetched.archive.integrity.description.prefix(31))…", .dim))
        table.add("Contract", TableCell("\(manifest.contract)"))
        table.add("Signed", signature)
        table.add("Registry", candidate.fetched.registryKey.map { TableCell("signed with its key \($0)", .good) })
        lines += table.lines(on: terminal)
        return lines + [""] + GrantTable(candidate.locked.providers, needing: neededKeys).lines(on: terminal)
    }

    private var signature: TableCell {
        candidate.key.map { TableCell("with the key \($0.id) (\($0.description.prefix(14))…)", .good) }
            ?? candidate.fetched.signature.map {
                TableCell("with the key \($0.keyID), which nothing names: not checked", .warning)
            }
            ?? TableCell("no", .dim)
    }

    private var neededKeys: Set<String> {
        Set(candidate.permissions.providers.filter(\.needsKey).map(\.id.description))
    }
}

/// What providers may do, a line for each host so that none is ever cut.
struct GrantTable {
    private let grants: [String: ProviderGrant]
    private let needing: Set<String>

    /// A table of grants; `needing` are those that do nothing without a key.
    init(_ grants: [String: ProviderGrant], needing: Set<String> = []) {
        self.grants = grants
        self.needing = needing
    }

    func lines(on terminal: Terminal) -> [String] {
        var table = ColumnTable(columns: [
            .init("Provider"), .init("Requests go to"), .init("Images come from"), .init("Credentials"),
        ])
        for (id, grant) in grants.sorted(by: { $0.key < $1.key }) {
            let credentials = grant.credentials.map { CredentialKind(rawValue: $0)?.words ?? $0 }
            let words = needing.contains(id) ? credentials.map { "\($0), needed" } : credentials
            let count = max(1, grant.hosts.count, grant.mediaHosts.count, words.count)
            for row in 0..<count {
                table.add([
                    TableCell(row == 0 ? id : "", .bold), Self.host(grant.hosts, row), Self.host(grant.mediaHosts, row),
                    TableCell(row < words.count ? words[row] : row == 0 ? "none" : "", words.isEmpty ? .dim : .plain),
                ])
            }
        }
        return table.lines(on: terminal)
    }

    private static func host(_ hosts: [String], _ row: Int) -> TableCell {
        guard row < hosts.count else { return TableCell(row == 0 ? "none" : "", .dim) }
        switch hosts[row] {
        case "*", "http://*", "https://*": return TableCell("any host (\(hosts[row]))", .warning)
        case "{instance}": return TableCell("the server you name")
        case let host: return TableCell(host)
        }
    }
}
