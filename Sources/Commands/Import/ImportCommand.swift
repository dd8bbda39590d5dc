import ArgumentParser
import FoundationEssentials
import Glibc
import ImgScript
import ProviderModel

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take over the settings and the archive of another program",
        subcommands: [GalleryDLImport.self])
}

struct GalleryDLImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery-dl", abstract: "Take over the settings and archives of gallery-dl",
        discussion: """
            Each setting is listed with what becomes of it: the same setting here, another way, or nothing. Images of the \
            archives count as downloaded before. Passwords, keys and tokens are not copied: imgscript auth set stores them.
              imgscript import gallery-dl --dry-run
              imgscript import gallery-dl -d ~/pictures --archive ~/gallery-dl.sqlite3
            """)

    @Option(
        name: .customLong("config"),
        help: ArgumentHelp(
            "file of settings in JSON, or by Python's parsers in TOML or YAML; may be repeated (default: gallery-dl's own)",
            valueName: "file"),
        completion: .file())
    var files: [String] = []

    @Option(
        name: .customLong("archive"),
        help: ArgumentHelp("archive; may be repeated (default: those of the settings)", valueName: "file"),
        completion: .file())
    var archives: [String] = []

    @Option(
        name: [.customShort("d"), .long],
        help: ArgumentHelp(
            "folder of the downloads, whose archive takes the entries (default: base-directory)", valueName: "folder"),
        completion: .directory)
    var directory: String?

    @Flag(help: "replace settings that are set already")
    var overwrite = false

    @OptionGroup var options: RegistryEngineOptions

    func run() async throws {
        let context = try AppContext(try options.engine)
        try await context.run {
            let run = GalleryDLImportRun(self, context)
            try run.run()
        }
    }
}

/// One import: the files that are read, the table that is shown, and what is changed.
private struct GalleryDLImportRun {
    private let options: GalleryDLImport
    private let context: AppContext
    private let environment = ProcessInfo.processInfo.environment
    private var isDryRun: Bool { options.options.dryRun }

    init(_ options: GalleryDLImport, _ context: AppContext) { (self.options, self.context) = (options, context) }

    func run() throws {
        let files = options.files.isEmpty ? foundFiles : options.files
        guard !files.isEmpty || !options.archives.isEmpty else {
            context.status.error(
                "no settings of gallery-dl found (expected one of \(defaultFiles.joined(separator: ", ")))",
                hint: "--config FILE and --archive FILE name them")
            throw ExitStatus.notFound
        }
        var archives = options.archives
        var folder = options.directory
        for path in files {
            let settings = GalleryDLSettings(try json(of: path)) { context.engine.isInstalled($0) }
            try takeSettings(settings, from: path)
            if options.archives.isEmpty { archives += settings.archives }
            folder = folder ?? settings.folder
        }
        for archive in archives { try takeArchive(archive, into: expanded(folder ?? ".")) }
        if isDryRun { context.status.note("nothing was changed", hint: "without --dry-run it is") }
    }

    // MARK: Files of settings

    private var defaultFiles: [String] {
        let home = environment["HOME"] ?? ""
        let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(home)/.config"
        return ["/etc/gallery-dl.conf"] + ["json", "toml", "yaml"].map { "\(configuration)/gallery-dl/config.\($0)" }
            + ["\(home)/.gallery-dl.conf"]
    }

    private var foundFiles: [String] { defaultFiles.filter { access($0, R_OK) == 0 } }

    private func json(of path: String) throws -> JSONValue {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {  // the reason is errno's
            throw refusal(of: path, String(cString: strerror(errno)))
        }
        let ending = path.split(separator: ".").last.map(String.init) ?? ""
        guard let parser = Self.parsers[ending] else { return try parsed(Array(data), path) }
        let result = ChildProgram.run(
            ["python3", "-c", parser], environment: environment.map { "\($0)=\($1)" }, input: Array(data),
            until: .now + .seconds(20))
        switch result {
        case .output(let text): return try parsed(Array(text.utf8), path)
        case .failed(_, let errors):
            let reason = errors.split(separator: "\n").last.map(String.init) ?? "unknown reason"
            throw refusal(of: path, reason)
        case .notStarted, .timedOut:
            throw refusal(of: path, "python3, which reads \(ending.uppercased()), could not be started")
        }
    }

    /// Programs that write as JSON what gallery-dl reads by the same parsers.
    private static let parsers = [
        "toml": "import sys,json,tomllib; json.dump(tomllib.load(sys.stdin.buffer), sys.stdout, default=str)",
        "yaml": "import sys,json,yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout, default=str)",
    ]

    private func parsed(_ bytes: [UInt8], _ path: String) throws -> JSONValue {
        let json: JSONValue
        do throws(InvalidJSON) { json = try JSONValue(parsing: bytes) } catch {
            throw refusal(of: path, "invalid JSON: \(error)")
        }
        guard json.members != nil else {
            throw refusal(of: path, "found \(json.kind) (expected one object)")
        }
        return json
    }

    /// Says why a file cannot be imported.
    private func refusal(of path: String, _ reason: String) -> ExitStatus {
        context.status.error(
            "could not import \(path): \(reason)", hint: "--config FILE names the settings, --archive FILE an archive")
        return .usage
    }

    // MARK: Settings

    private func takeSettings(_ settings: GalleryDLSettings, from path: String) throws {
        let own = SettingsContext(
            environment: environment, folder: context.settings.configurationFolder, status: context.status,
            terminal: context.terminal)
        var table = Table(columns: [.init("gallery-dl"), .init("Here"), .init("", .below)])
        var taken: [(key: String, json: JSONValue)] = []
        let present = try SettingsDocument(path: own.path)
        for line in settings.lines {
            switch line.outcome {
            case .setting(let key, let given):
                let values = given.map(expanded)
                let shown = "\(key) = \(values.joined(separator: ", "))"
                let before = present.value(at: SettingsDocument.path(of: key))
                if let before, !options.overwrite {
                    let note = TableCell("is \(before.compact) already; --overwrite replaces it", .dim)
                    table.add([TableCell(line.path), TableCell("kept", .dim), note])
                    continue
                }
                do {
                    taken.append((key, try own.checked(key, values)))
                    table.add([TableCell(line.path), TableCell(shown, .good), TableCell("")])
                } catch let error as ConfigurationError {
                    table.add([TableCell(line.path), TableCell("not taken", .warning), TableCell(error.reason, .dim)])
                }
            case .otherwise(let text):
                table.add([TableCell(line.path), TableCell("another way"), TableCell(text, .dim)])
            case .nothing(let text):
                table.add([TableCell(line.path), TableCell("nothing", .dim), TableCell(text, .dim)])
            }
        }
        try context.printLine(TableCell(path, .bold).rendered(on: context.terminal))
        try context.print(table.lines(on: context.terminal))
        guard !isDryRun, !taken.isEmpty else { return }
        try own.change { document in
            for setting in taken { document.set(setting.json, at: SettingsDocument.path(of: setting.key)) }
        }
        context.status.note("\(taken.count.grouped) settings written to \(own.path)")
    }

    // MARK: Archives

    private func takeArchive(_ path: String, into folder: String) throws {
        guard !path.contains("://") else {
            context.status.warning("could not import \(path): it is no file (expected an archive in SQLite)")
            return
        }
        let archive = try GalleryDLArchive(path: expanded(path))
        let known = archive.count.known.sorted { $0.key < $1.key }
        let unknown = archive.count.unknown.sorted { $0.key < $1.key }
        let new = isDryRun ? nil : try archive.record(inFolder: folder)
        var table = Table()
        table.add("Archive", TableCell(path, .bold))
        table.add("Known", values: known.map { TableCell("\($0.key) \($0.value.grouped)") })
        table.add("Unknown", values: unknown.map { TableCell("\($0.key) \($0.value.grouped)", .dim) })
        try context.print(table.lines(on: context.terminal))
        if !unknown.isEmpty {
            context.status.note(
                "\(unknown.reduce(0) { $0 + $1.value }.grouped) entries name no image that a provider knows; their files are "
                    + "downloaded again")
        }
        if let new { context.status.note("\(new.grouped) identities of files written to the archive of \(folder)") }
    }

    /// A path with the user's folder for `~`.
    private func expanded(_ path: String) -> String {
        path.hasPrefix("~/") ? "\(environment["HOME"] ?? "")\(path.dropFirst())" : path
    }
}
