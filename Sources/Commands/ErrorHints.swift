import HTTPTransport
import ImgScript
import Packs
import ProviderAuthoring
import ProviderModel
import ProviderRuntime
import ProviderTesting

extension StatusLine {
    /// Prints an error, and the command or option that helps where there is one.
    func error(_ error: any Error) {
        let message =
            switch error {
            case let error as PackError: error.fullMessage
            case let error as TransportError: error.message
            default: "\(error)"
            }
        self.error(message, hint: ErrorHint.text(for: error))
    }
}

/// The hint of an error in the words of the command line.
enum ErrorHint {
    /// What helps, on one line; nil where nothing is known.
    static func text(for error: any Error) -> String? {
        switch error {
        case let error as ProviderError: hint(for: error)?.commandText ?? SettingsHint.text(for: error)
        case let error as TransportError: error.hint?.commandText
        case let error as DraftError: error.hint?.commandText
        case let error as PackError: error.hint?.commandText ?? error.cause.flatMap(text(for:))
        case let error as WatchError where error.code == .notFound: "imgscript watch list lists all watches"
        case let error as WatchError where error.code == .exists: "imgscript watch remove NAME removes it"
        case let error as WatchError where error.code == .file:
            "remove it with imgscript watch remove NAME, then add it again"
        case is ConfigurationError: "imgscript config edit opens the settings, imgscript config list shows them"
        case let error as TerminalError: error.hint
        case let error as DownloadError: error.hint ?? error.cause.flatMap(text(for:))
        default: nil
        }
    }

    private static func hint(for error: ProviderError) -> Hint? {
        // A key that was refused.
        guard error.hint == nil, error.code == .auth, !error.provider.isEmpty else { return error.hint }
        return .storeKey(provider: error.provider, server: nil, variables: [])
    }
}

extension Hint {
    /// The hint with the commands and options of the command line.
    var commandText: String {
        switch self {
        case .plain(let text): text
        case .several(let hints): hints.map(\.commandText).joined(separator: "; ")
        case .storeKey(let provider, let server, let variables):
            "imgscript auth set \(provider)\(server.map { " --instance \($0)" } ?? "") stores a key"
                + (variables.isEmpty ? "" : " (or set \(variables.joined(separator: ", "))); --sample needs none")
        case .storeCookies(let provider, let server):
            "imgscript auth set \(provider)\(server.map { " --instance \($0)" } ?? "") --cookies-from-browser firefox "
                + "stores your login's cookies (or --cookies FILE); --sample needs none"
        case .logIn(let provider, let server):
            "imgscript auth login \(provider)\(server.map { " --instance \($0)" } ?? "") logs in with your browser"
        case .enterClient(let provider, let server):
            "check client_id and client_secret; "
                + "imgscript auth remove \(provider)\(server.map { " --instance \($0)" } ?? "") removes them, "
                + "and auth login asks for them again"
        case .choosePort: "--port selects another; the redirect URI at the source has to have the same port"
        case .omitCookies: "run the command without --cookies and --cookies-from-browser"
        case .nameInstance: "--instance https://… selects one"
        case .omitInstance: "run the command without --instance"
        case .omitProvider: "without --provider, the file at a URL is downloaded"
        case .configureGroups: "imgscript config set group.museums met artic defines one"
        case .listProviders: "imgscript providers lists all providers"
        case .listDetails: "imgscript search and feed print all known fields with -f json"
        case .allowHost(let host): "--allow-host \(host) allows it, if you trust it"
        case .raiseBodyLimit: "--max-body raises the limit"
        case .trustCertificate: "--ca-file adds the certificate of your own authority"
        case .goOnline: "run without --offline to ask the source"
        case .omitSamples: "run without --sample to ask the source"
        case .raiseIdleTimeout: "try again later; --timeout waits longer for data"
        case .raiseConnectTimeout: "check the address; --connect-timeout waits longer for connections"
        case .reportFault(_, _, let place):
            "\(description), \(place == nil ? "" : "with the response that ")--save-response FILE stores\(place == nil ? " the response" : "")"
        case .raiseTimeLimit: "--script-timeout gives scripts more time"
        case .raiseMemoryLimit: "--script-memory gives scripts more memory"
        case .installWorker: "install imgscript-worker beside imgscript, or set IMGSCRIPT_WORKER to its path"
        case .nameRequest: "name its request, such as --curl 'https://api.example.com/search?q=coffee'"
        case .createProvider: "imgscript providers new NAME creates a provider from a template"
        case .testProvider(let file): "imgscript test \(file) shows the details"
        case .record(let what, let file): Self.text(recording: what, file)
        case .recordCall(let call, let file):
            "imgscript test --record\(call.arguments) \(file.shellQuoted) records it"
        case .adaptRecordings(let file):
            "imgscript test --adapt \(file.shellQuoted) adapts the recorded request, if the response stays the same"
        case .updateSnapshots: "imgscript test --update writes the new snapshots and removes obsolete ones"
        case .writeSnapshots: "imgscript test without --ci writes it"
        case .createPack: "imgscript pack init creates a pack"
        case .buildPack: "imgscript pack build and npm pack create a .tgz"
        case .testPack: "imgscript pack run-tests shows all of them"
        case .createSigningKey: "imgscript pack keygen creates a key pair"
        case .nameStatusKey: "--status-key RW… names the key that its author publishes, if you trust it"
        case .nameKey: "if the author has a new key, get it from a source you trust, and pass it with --key"
        case .installPack(let pack): "imgscript pack install \(pack) installs it"
        case .restorePacks: "imgscript pack install --frozen restores the packs of the lockfile"
        case .updatePack(let pack):
            "imgscript pack update\(pack.map { " \($0)" } ?? "") shows what it asks for; --accept permissions allows it"
        case .removePack(let pack): "imgscript pack remove \(pack) removes it"
        case .listPacks: "imgscript pack list shows the packs of all lockfiles; --user selects your own lockfile"
        case .inspectPack(let pack): "imgscript pack inspect \(pack) shows its newest version"
        case .addPack(let source): "imgscript pack add \(source) installs a pack that has it"
        case .addIndex(let name): "imgscript pack indexes add \(name) URL adds an index of packs"
        case .trustIndexKey(let name, let url):
            "if its owner has a new key, get it from a source you trust: "
                + "imgscript pack indexes add \(name) \(url) --key RW…"
        case .updateKnown(let pack, let version):
            "\(pack) \(version) is available, in which it may work again: "
                + "imgscript pack update \(pack == CorePack.name ? CorePack.shortName : pack)"
        case .searchRegistry:
            "check the name; imgscript pack search finds packs, and --registry selects another registry"
        }
    }

    private static func text(recording what: Recording, _ file: String?) -> String {
        let path = file.map { " \($0)" } ?? ""
        return switch what {
        case .first: "imgscript test --record\(path) records responses"
        case .missing: "imgscript test --record --mode new\(path) records what is missing"
        case .all: "imgscript test --record --mode all\(path) records everything again"
        }
    }
}

extension Hint.CallToRecord {
    /// The options that name the call.
    fileprivate var arguments: String {
        var words: [String] = []
        if operation != .search || text.isEmpty { words.append("--call \(operation)") }
        if !text.isEmpty { words.append("--text \(text.shellQuoted)") }
        if let item { words.append("--item \(item.shellQuoted)") }
        if let pageSize { words.append("--page-size \(pageSize)") }
        words += parameters.map { "--param \("\($0.name)=\($0.value)".shellQuoted)" }
        if let near { words.append("--near=\(near)") }
        if let image { words.append("--image \(image.shellQuoted)") }
        if takesAllPages { words.append("--pages all") }
        return words.map { " \($0)" }.joined()
    }
}

extension TestReport.Suite {
    /// The same suite, its hints in the words of the command line.
    var inCommandWords: TestReport.Suite {
        var suite = self
        for test in suite.cases.indices {
            suite.cases[test].hint = suite.cases[test].hint.map { .plain($0.commandText) }
            for problem in suite.cases[test].problems.indices {
                let hint = suite.cases[test].problems[problem].hint
                suite.cases[test].problems[problem].hint = hint.map { .plain($0.commandText) }
            }
        }
        return suite
    }
}
