import ArgumentParser
import Glibc
import Packs
import ProviderModel

struct PackIndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Write a signed index of packs, to be published as a file",
        discussion: """
            Writes index.json and its signature. What was deprecated or revoked before stays so.
              imgscript pack index ./published
              imgscript pack index ./published --revoke @anna/boards@0.1.3 --reason 'sends the key elsewhere'
            """)

    @Argument(
        help: ArgumentHelp("folders of .tgz files, or packs as for install", valueName: "source"),
        completion: .directory)
    var sources: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("folder for the index (default: the first source, if it is a folder)", valueName: "folder"),
        completion: .directory)
    var output: String?

    @Option(help: ArgumentHelp("advise against versions, such as @anna/boards@<0.2", valueName: "name@range"))
    var deprecate: [String] = []

    @Option(help: ArgumentHelp("stop versions wherever they are installed", valueName: "name@range"))
    var revoke: [String] = []

    @Option(help: ArgumentHelp("take back what was said against versions", valueName: "name@range"))
    var restore: [String] = []

    @Option(help: ArgumentHelp("reason for --deprecate and --revoke, which users see", valueName: "text"))
    var reason: String?

    @Option(help: ArgumentHelp("URL of a signed status of the sources, relative to the index", valueName: "url"))
    var status: String?

    @Option(
        help: ArgumentHelp("key to sign with (default: pack.key in the configuration folder)", valueName: "file"),
        completion: .file(extensions: ["key"]))
    var secretKey: String?

    @OptionGroup var registry: RegistryOptions
    @OptionGroup var options: PackEngineOptions

    func validate() throws {
        if (deprecate + revoke).isEmpty != (reason == nil) {
            throw ValidationError("--deprecate and --revoke need --reason, and nothing else does")
        }
    }

    func run() async throws {
        let context = try PackContext(options.engine, registry: registry)
        try await context.app.run {
            let folder = output ?? sources.first.flatMap { Self.isFolder($0) ? $0 : nil } ?? "."
            let path = "\(folder)/\(PackIndex.fileName)"
            let key = try PackKeys.secretKey(at: secretKey ?? PackKeys.defaultSecretKey(context.app.settings))
            var build = IndexBuild(inPlaceOf: try Self.index(at: path, signedBy: key.publicKey))
            for source in try archives() { try await add(source, to: &build, below: folder, context) }
            for text in restore { try build.restore(text) }
            for text in deprecate { try build.mark(text, as: .deprecated, reason: reason ?? "") }
            for text in revoke { try build.mark(text, as: .revoked, reason: reason ?? "") }
            let index = build.index(
                at: WallClock.secondsSince1970, key: key.publicKey, status: status.map { .init(url: $0) })
            try print(build, context)
            try context.app.output.flush()
            if case .dryRun = context.app.settings.answers {
                return context.app.status.note("nothing was written: --dry-run")
            }
            try Self.write(index, to: path, key)
            context.app.status.note("wrote \(path), signed with the key \(key.publicKey)")
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// The sources, with the archives in place of a folder.
    private func archives() throws -> [String] {
        try sources.flatMap { source throws(PackError) -> [String] in
            guard Self.isFolder(source) else { return [source] }
            let files = try FileSystem.files(below: source).filter { $0.hasSuffix(".tgz") }
            guard files.isEmpty, access("\(source)/\(PackManifest.fileName)", F_OK) == 0 else {
                return files.sorted().map { "\(source)/\($0)" }
            }
            throw PackError(
                .index, "\(source) is the folder of a pack (expected a folder of .tgz files)", hint: .buildPack)
        }
    }

    private func add(
        _ text: String, to build: inout IndexBuild, below folder: String, _ context: PackContext
    ) async throws {
        let source = try context.source(text)
        let candidate = try await context.installer(for: [source])
            .candidate(from: source, in: try context.temporaryWorkspace())
        for remark in PackDescription(candidate).remarks { context.app.status.warning("\(text): \(remark)") }
        try build.add(candidate, at: try Self.address(of: source, candidate, below: folder))
    }

    /// Where an index in a folder finds an archive: below itself, or on a web server.
    private static func address(
        of source: PackSource, _ candidate: PackCandidate, below folder: String
    ) throws(PackError) -> String {
        switch source {
        case .archive(let path):
            let (root, file) = (FileSystem.absolute(folder) + "/", FileSystem.absolute(path))
            guard file.hasPrefix(root) else {
                throw PackError(
                    .index, "\(path) is not below \(folder), where the index will be", hint: "copy it there")
            }
            return file.dropFirst(root.count).split(separator: "/").map { PercentEncoding.encode(String($0)) }
                .joined(separator: "/")
        case .address, .registry, .index: return candidate.fetched.resolved ?? source.description
        case .folder, .git:
            throw PackError(
                .index, "\(source) has no archive that an index could name", hint: .buildPack)
        }
    }

    /// The index that is there already; one that another key has signed is not carried on.
    private static func index(at path: String, signedBy key: PublicKey) throws -> PackIndex? {
        guard access(path, F_OK) == 0 else { return nil }
        let bytes = try FileSystem.bytes(at: path, limit: PackIndex.maximumSize)
        let signature = try PackSignature.read(fileAt: PackSignature.path(forArchiveAt: path))
        guard signature.keyID == key.id else {
            throw PackError(
                .signature, "it is signed with the key \(signature.keyID) (expected \(key.id))", subject: path,
                hint: "--secret-key names another key; remove the file to begin anew")
        }
        try PackIndex.check(bytes, signature, by: key)
        return try PackIndex(parsing: bytes)
    }

    private func print(_ build: IndexBuild, _ context: PackContext) throws {
        var table = Table(columns: [
            .init("Pack"), .init("Version"), .init("Providers", .cut(to: 24)), .init("Signed"),
            .init("Note", .cut(to: 20)),
        ])
        for (name, pack) in build.packs.sorted(by: { $0.key < $1.key }) {
            for (version, entry) in pack.versions.sorted(by: { $0.key < $1.key }) {
                let note = entry.revoked.map { "revoked: \($0)" } ?? entry.deprecated.map { "deprecated: \($0)" }
                table.add([
                    TableCell(name, .bold), TableCell(version),
                    TableCell(entry.providers.keys.sorted().joined(separator: " ")),
                    entry.signature == nil ? TableCell("no", .dim) : TableCell("yes", .good),
                    TableCell(note ?? "", .warning),
                ])
            }
        }
        try context.printLines(table.lines(on: context.app.terminal))
        for version in build.dropped {
            context.app.status.warning("\(version) is no longer in the index: its archive is not there")
        }
    }

    private static func write(_ index: PackIndex, to path: String, _ key: SecretKey) throws {
        let bytes = Array(try index.text.utf8)
        let signature = try key.sign(
            bytes,
            trustedComment: PackSignature.trustedComment(forFile: PackIndex.fileName, at: WallClock.secondsSince1970))
        try FileSystem.makeFolder(FileSystem.parent(of: path))
        try FileSystem.write(bytes, to: path)
        try FileSystem.write(Array(signature.text.utf8), to: PackSignature.path(forArchiveAt: path))
    }
}
