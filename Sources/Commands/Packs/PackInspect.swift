import ArgumentParser
import Packs
import ProviderModel
import ProviderRuntime

struct PackInspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show a pack and the permissions it asks for, without installing it")

    @Argument(
        help: ArgumentHelp("source of the pack, as for install", valueName: "source"),
        completion: .file(extensions: ["tgz"]))
    var source: String

    @Flag(help: "list its files too")
    var files = false

    @Option(
        help: ArgumentHelp("require a signature of this minisign key: RW… or a .pub file", valueName: "key"),
        completion: .file(extensions: ["pub"]))
    var key: String?

    @OptionGroup var registry: RegistryOptions
    @OptionGroup var options: PackEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine, registry: registry)
        try await context.app.run {
            let source = try context.source(source)
            let candidate = try await context.installer(for: [source]).candidate(
                from: source, key: try context.key(key), in: try context.temporaryWorkspace())
            let description = PackDescription(candidate)
            try context.printLines(description.lines(on: context.app.terminal))
            if files {
                var table = Table(columns: [.init("File"), .init("Size", alignment: .right)])
                for file in candidate.content.files {
                    table.add([TableCell(file.path), TableCell(file.size.inBytes, .dim)])
                }
                try context.app.printLine("")
                try context.printLines(table.lines(on: context.app.terminal))
            }
            try context.app.output.flush()
            for remark in description.remarks { context.app.status.warning(remark) }
        }
    }
}

/// The description of a pack before it is installed: its origin, signature and permissions.
struct PackDescription {
    let candidate: PackCandidate

    init(_ candidate: PackCandidate) { self.candidate = candidate }

    /// The whole description.
    func lines(on terminal: Terminal) -> [String] {
        let manifest = candidate.manifest
        var lines = [TableCell("\(manifest.name) \(manifest.version)", .bold).rendered(on: terminal)]
        var table = Table()
        // A long text of the pack may not push the permissions off the screen.
        table.add("About", manifest.summary.map { TableCell($0.cut(to: 300)) })
        table.add("Licence", TableCell(manifest.license ?? "none stated", manifest.license == nil ? .warning : .plain))
        table.add("From", TableCell(candidate.fetched.resolved ?? candidate.fetched.source.description))
        let size = candidate.content.files.reduce(0) { $0 + $1.size }
        table.add(
            "Content", TableCell("\(candidate.content.files.count) files, \(size.inBytes)"),
            TableCell("\(candidate.fetched.archive.integrity.description.prefix(31))…", .dim))
        table.add("Contract", TableCell("\(manifest.contract)"))
        table.add("Signed", signature)
        table.add("Registry", candidate.fetched.registryKey.map { TableCell("signed with its key \($0)", .good) })
        lines += table.lines(on: terminal)
        return lines + [""] + PermissionTable(candidate.providers).lines(on: terminal)
    }

    /// What the user should know, in sentences.
    var remarks: [String] {
        guard candidate.key == nil, let signature = candidate.fetched.signature else { return candidate.remarks }
        return candidate.remarks + [
            "the signature was not verified: unknown key \(signature.keyID); "
                + "--key RW… names it"
        ]
    }

    private var signature: TableCell {
        candidate.key.map { TableCell("with the key \($0.id) (\($0.description.prefix(14))…)", .good) }
            ?? candidate.fetched.signature.map {
                TableCell("with the unknown key \($0.keyID): not verified", .warning)
            }
            ?? candidate.manifest.publicKey.map {
                TableCell("no (package.json has the key \($0.id))", .warning)
            }
            ?? TableCell("no", .dim)
    }
}

/// The permissions of providers, a line for each host so that none is cut.
struct PermissionTable {
    private let providers: [String: LockedProvider]

    init(_ providers: [String: LockedProvider]) { self.providers = providers }

    func lines(on terminal: Terminal) -> [String] {
        var table = Table(columns: [
            .init("Provider"), .init("Requests go to"), .init("Images come from"), .init("Credentials"),
            .init("Sent with them"),
        ])
        for (id, provider) in providers.sorted(by: { $0.key < $1.key }) {
            let permissions = provider.permissions
            let hosts = permissions.hosts.map(\.description)
            let mediaHosts = permissions.mediaHosts.map(\.description)
            let credentials = permissions.credentials.map { $0.words + (permissions.needsKey ? ", needed" : "") }
            let methods = permissions.credentials.isEmpty ? [] : ["GET"] + permissions.methods.map(\.rawValue)
            for row in 0..<max(1, hosts.count, mediaHosts.count, credentials.count, methods.count) {
                table.add([
                    TableCell(row == 0 ? id : "", .bold), Self.host(hosts, row), Self.host(mediaHosts, row),
                    row < credentials.count
                        ? TableCell(credentials[row])
                        : TableCell(row == 0 ? "none" : "", credentials.isEmpty ? .dim : .plain),
                    row < methods.count ? TableCell(methods[row], row == 0 ? .plain : .warning) : TableCell(""),
                ])
            }
        }
        return table.lines(on: terminal)
    }

    private static func host(_ hosts: [String], _ row: Int) -> TableCell {
        guard row < hosts.count else { return TableCell(row == 0 ? "none" : "", .dim) }
        switch hosts[row] {
        case "*", "http://*", "https://*": return TableCell("any host (\(hosts[row]))", .warning)
        case "{instance}": return TableCell("the server you choose")
        case let host: return TableCell(host)
        }
    }
}

extension CredentialKind {
    fileprivate var words: String {
        switch self {
        case .query: "a key in the URL"
        case .header: "a key in a header"
        case .cookie: "a cookie"
        case .basic: "a user name and a password"
        case .oauth2: "an OAuth client and its secret"
        case .login: "your login on a page of the source"
        case .signature: "a key that signs requests"
        case .password: "your name and password, to log in"
        case .cookies: "the cookies of your login in a browser"
        case .session: "a guest session"
        }
    }
}
