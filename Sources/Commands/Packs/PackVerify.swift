import ArgumentParser
import Glibc
import Packs
import ProviderModel
import ProviderRuntime

struct PackVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify the signature of a .tgz, or the files of installed packs",
        discussion: "An installed pack is intact if none of its files changed after the installation.")

    @Argument(
        help: ArgumentHelp(
            "a pack's .tgz, or the name of an installed pack (default: all installed packs)",
            valueName: "pack"), completion: .packsAndArchives)
    var pack: String?

    @Option(
        help: ArgumentHelp("public key: RW… or a .pub file (default: the pinned one)", valueName: "key"),
        completion: .file(extensions: ["pub"]))
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
            throw PackError(.signature, "no such file: \(path)", hint: "imgscript pack sign \(file) creates it")
        }
        let signature = try PackSignature.read(fileAt: path)
        let (known, origin) = try knownKey(manifest, context)
        try known.verify(signature, of: archive.bytes)
        var list = CheckList()
        list.add(.good, "\(manifest.name) \(manifest.version)", "signed with the key \(known.id), \(origin)")
        list.add(.good, "comment", signature.trustedComment)
        try context.printLines(list.lines(on: context.app.terminal))
        try context.app.printLine(archive.integrity.description)
    }

    private func verifyInstalled(_ context: PackContext) throws {
        var list = CheckList()
        let checks = InstalledPackChecks(store: context.store, lockfiles: context.lockfiles)
        let count = checks.add(to: &list, named: pack)
        try context.printLines(list.lines(on: context.app.terminal))
        // What could not be verified was not.
        if list.hasFailure || list.hasDoubt { throw ExitStatus.failure }
        guard count == 0 else { return }
        guard let pack else { return context.app.status.note("no packs installed") }
        throw PackError(
            .notInstalled, "no such file or installed pack: \(pack.quoted)",
            hint: "imgscript pack list lists the installed packs")
    }

    /// The key to check with, and where it comes from.
    private func knownKey(_ manifest: PackManifest, _ context: PackContext) throws -> (PublicKey, String) {
        if let named = try context.key(key) { return (named, "given with --key") }
        for lockfile in context.lockfiles {
            guard let pinned = try context.store.lockfile(at: lockfile).packs[manifest.name.description]?.key else {
                continue
            }
            return (try PublicKey(parsing: pinned), "pinned in \(lockfile)")
        }
        guard let stated = manifest.publicKey else {
            throw PackError(
                .key, "no known key for \(manifest.name)",
                hint: "name it with --key RW… or --key FILE.pub")
        }
        return (stated, "named by the pack itself: compare it with a key that its author publishes elsewhere")
    }
}

/// Checks that the packs of lockfiles are on this machine, with the files that were installed.
struct InstalledPackChecks {
    let store: PackStore
    let lockfiles: [String]

    /// Adds what is found of all packs, or of that of one name; returns how many findings there are.
    func add(to list: inout CheckList, named wanted: String? = nil) -> Int {
        var count = 0
        for lockfile in lockfiles {
            do {
                for (name, pack) in try store.lockfile(at: lockfile).packs.sorted(by: { $0.key < $1.key })
                where wanted ?? name == name {
                    count += 1
                    add(pack, named: name, of: lockfile, to: &list)
                }
            } catch {
                count += 1
                list.add(.bad, "lockfile", "\(error)", hint: ErrorHint.text(for: error))
            }
        }
        return count
    }

    private func add(_ pack: LockedPack, named name: String, of lockfile: String, to list: inout CheckList) {
        let isOther = lockfile != lockfiles.first
        let hint = "imgscript pack install --frozen\(isOther ? " --user" : "") repairs it"
        if let entry = RevokedPacks(in: store.folder)[pack.integrity] {
            return list.add(.bad, name, "\(pack.version) was \(entry.text)", hint: entry.hint.commandText)
        }
        switch store.condition(of: pack, named: name) {
        case .intact:
            let place = lockfiles.count > 1 ? " (\(lockfile))" : ""
            list.add(.good, name, "\(pack.version), all files unchanged\(place)")
        case .missing: list.add(.bad, name, "\(pack.version) of \(lockfile) is not installed", hint: hint)
        case .unknown:
            list.add(
                .doubtful, name, "\(pack.version): could not verify its files: the archive is missing",
                hint: hint)
        case .changed(let differences):
            let more = differences.count - 3
            list.add(
                .bad, name,
                "\(pack.version): changed after the installation: "
                    + differences.prefix(3).joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""),
                hint: hint)
        }
    }
}
