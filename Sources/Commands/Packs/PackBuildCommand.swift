import ArgumentParser
import Glibc
import Packs
import ProviderModel
import ProviderRuntime
import ProviderTesting

struct PackInit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create a pack from a template")

    @Argument(help: ArgumentHelp("folder to create", valueName: "folder"), completion: .directory)
    var folder: String

    @Option(help: ArgumentHelp("name of the pack, such as @anna/boards (default: the folder's)", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp("name of its first provider (default: the pack's, without its scope)", valueName: "provider")
    )
    var provider: String?

    @Option(
        help: ArgumentHelp("public key it will be signed with: RW… or a .pub file", valueName: "key"),
        completion: .file(extensions: ["pub"]))
    var key: String?

    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            let last = folder.split(separator: "/").last.map(String.init) ?? ""
            let packName = try PackName(name ?? last)
            let text = provider ?? packName.bareName
            guard let id = ProviderID(text) else {
                throw PackError(
                    .name, "\(text.quoted) is not a valid provider name (expected \(ProviderID.naming))",
                    hint: "--provider names another")
            }
            let template = PackTemplate(name: packName, provider: id, publicKey: try context.key(key))
            let root = folder.hasSuffix("/") && folder.count > 1 ? String(folder.dropLast()) : folder
            let files = template.files.map { (path: "\(root)/\($0.path)", text: $0.text) }
            for file in files { try FileSystem.checkFree(file.path) }
            for file in files {
                try FileSystem.makeFolder(FileSystem.parent(of: file.path))
                try FileSystem.write(Array(file.text.utf8), to: file.path, replacing: false)
            }
            let editor = try EditorFiles(context.app.settings).write(into: root)
            try context.printLines(files.map(\.path) + editor)
            try context.app.output.flush()
            context.app.status.note("try: imgscript pack build \(root)")
        }
    }
}

struct PackBuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Build the .tgz of a pack, if its checks and tests pass")

    @Argument(help: ArgumentHelp("folder of the pack", valueName: "folder"), completion: .directory)
    var folder = "."

    @Option(
        name: .shortAndLong, help: ArgumentHelp("file to write, or the folder for it", valueName: "path"),
        completion: .file())
    var output = "."

    @OptionGroup var options: TriedPackOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            let build = try PackBuild.build(folder: folder)
            let providers = build.manifest.providers.count
            context.app.status.note("checking \(providers) \(providers == 1 ? "provider" : "providers")")
            let report = try await context.checks(of: build.manifest, in: folder)
            try PackChecks.require(report, of: build.manifest.name)
            var facts = stat()
            let isFolder = stat(output, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
            let path = isFolder ? "\(output == "." ? "" : output + "/")\(build.fileName)" : output
            try build.write(to: path)
            var table = Table()
            table.add("Wrote", TableCell(path, .bold))
            table.add(
                "Content", TableCell("\(build.files.count) files, \(build.unpackedSize.inBytes)"),
                TableCell("packed to \(build.archive.count.inBytes)", .dim))
            table.add("Left out", values: build.leftOut.map { TableCell($0, .dim) })
            try context.printLines(table.lines(on: context.app.terminal))
            try context.app.printLine(build.integrity.description)
            try context.app.output.flush()
            for remark in build.manifest.remarks { context.app.status.warning(remark) }
        }
    }
}

struct PackRunTests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run-tests",
        abstract: "Run the checks and tests of a pack")

    @Argument(
        help: ArgumentHelp("name of an installed pack, or a source as for install", valueName: "pack"),
        completion: .packsAndArchives)
    var pack = "."

    @OptionGroup var options: TriedPackOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            if let local = try await context.localPack(pack) { return try await test(local.folder, context) }
            let source = try context.source(pack)
            if case .folder(let folder) = source { return try await test(folder, context) }
            let candidate = try await context.installer(for: [source])
                .candidate(from: source, in: try context.temporaryWorkspace())
            try await test(candidate.content.folder, context)
        }
    }

    private func test(_ folder: String, _ context: PackContext) async throws {
        let manifest = try PackManifest.read(folder: folder)
        let terminal = context.app.terminal
        let reporter = TerminalReporter(
            paint: { terminal.paint($0, $1.style) }, source: ReportOutput.text(of:), isVerbose: options.network.verbose)
        let report = try await context.checks(of: manifest, in: folder)
        try reporter.write(report) { try context.app.output.write(Array($0.utf8)) }
        try context.app.output.flush()
        if report.hasFailed { throw ExitStatus.failure }
    }
}
