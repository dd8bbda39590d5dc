import ArgumentParser
import Glibc
import Packs
import ProviderModel

struct PackVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks a .tgz against the signature beside it, or installed packs against the lockfile.",
        discussion: "An installed pack is whole when each of its files is still the one that was installed.")

    @Argument(
        help: ArgumentHelp(
            "A pack's file, or an installed pack's name; all that are installed without any.",
            valueName: "pack"))
    var pack: String?

    @Option(help: ArgumentHelp("The public key: RW…, or a .pub file; without it, the pinned one.", valueName: "key"))
    var key: String?

    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            if let pack, access(pack, F_OK) == 0 { return try verify(fileAt: pack, context) }
            try verifyInstalled(context)
        }
    }

    private func verify(fileAt file: String, _ context: PackContext) throws {
        let archive = try PackArchive(fileAt: file)
        let manifest = try archive.read()
        let path = PackSignature.path(forArchiveAt: file)
        guard access(path, F_OK) == 0 else {
            throw PackError(.signature, "there is no \(path)", hint: "imgscript pack sign writes one")
        }
        let signature = try PackSignature.read(fileAt: path)
        let (known, origin) = try knownKey(manifest, context)
        try known.verify(signature, of: archive.bytes)
        var list = CheckList()
        list.add(.good, "\(manifest.name) \(manifest.version)", "is signed with the key \(known.id), \(origin)")
        list.add(.good, "comment", signature.trustedComment)
        for line in list.lines(on: context.app.terminal) { try context.app.printLine(line) }
        try context.app.printLine(archive.integrity.description)
    }

    private func verifyInstalled(_ context: PackContext) throws {
        var list = CheckList()
        let checks = InstalledPackChecks(store: context.store, lockfiles: context.lockfiles)
        let count = checks.add(to: &list, named: pack)
        for line in list.lines(on: context.app.terminal) { try context.app.printLine(line) }
        if list.hasFailure { throw ExitStatus.failure }
        guard count == 0 else { return }
        guard let pack else { return context.app.status.note("no packs are installed") }
        throw PackError(
            .notInstalled, "there is neither a file nor an installed pack \(pack.quoted)",
            hint: "imgscript pack list lists those that are installed")
    }

    /// The key to check with, and where it is known from.
    private func knownKey(_ manifest: PackManifest, _ context: PackContext) throws -> (PublicKey, String) {
        if let named = try context.key(key) { return (named, "as you named it") }
        for lockfile in context.lockfiles {
            guard let pinned = try context.store.lock(at: lockfile).packs[manifest.name.description]?.key else {
                continue
            }
            return (try PublicKey(parsing: pinned), "pinned in \(lockfile)")
        }
        guard let stated = manifest.publicKey else {
            throw PackError(
                .key, "nothing says which key \(manifest.name) has to be signed with",
                hint: "name it with --key RW… or --key FILE.pub")
        }
        return (stated, "which the pack itself names: compare it with what its author says elsewhere")
    }
}
