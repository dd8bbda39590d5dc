import ArgumentParser
import Packs
import ProviderRuntime

struct PackUpdate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Looks for newer versions where packs came from, and shows what they change.",
        discussion: """
            A new version has to pass its own recordings in the sandbox first. Another key, a missing signature, a lower \
            version and more hosts are refused unless --accept says otherwise. The former version stays for `pack rollback`; \
            `pack outdated` only looks.
            """)

    @Argument(help: ArgumentHelp("The packs; all without any.", valueName: "name"))
    var names: [String] = []

    @Flag(help: "Update all packs, as without names.")
    var all = false

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var registry: RegistryOptions
    @OptionGroup var lockfile: LockfileOptions
    @OptionGroup var options: PackEngineOptions

    func validate() throws {
        guard !all || names.isEmpty else { throw ValidationError("--all updates every pack, and takes no names.") }
    }

    func run() async throws {
        let context = try PackContext(options.engine, registry: registry, lockfile: lockfile)
        try await context.app.run {
            let lock = try context.store.lock(at: context.lockfile)
            let wanted = names.isEmpty ? lock.packs.keys.sorted() : names
            if wanted.isEmpty { return context.app.status.note("there are no packs in \(context.lockfile)") }
            let packs = try wanted.map { name in
                guard let pack = lock.packs[name] else { throw PackError.notInstalled(name, lock, context.lockfile) }
                return InstallRun.Wanted(name: name, source: pack.source)
            }
            let installer = try context.installer(for: packs.map(\.source))
            try await InstallRun(context: context, installer: installer, consent: consent).install(packs)
        }
    }
}
