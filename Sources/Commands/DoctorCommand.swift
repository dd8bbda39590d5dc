import ArgumentParser
import Glibc
import ImgScript
import Packs
import ProviderRuntime

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the installation: worker, sandbox, folders, providers, packs, keys")

    @OptionGroup var engine: EngineOptions

    func run() async throws {
        let context = try AppContext(engine) { settings in
            let (lockfiles, show) = (settings.lockfiles, settings.onNotice)
            // The list says more about a pack that is not as it should be.
            settings.onNotice = { notice in
                if case .warning(let text, _) = notice, lockfiles.contains(where: { text.contains($0) }) { return }
                show(notice)
            }
        }
        try await context.run {
            var list = CheckList()
            list.add(
                .good, "imgscript", "version \(ProgramVersion.number), contract \(ProviderManifest.contract)")
            list.add(.good, "libraries", ProgramVersion.libraries.joined(separator: " "))
            await context.refreshStatuses()
            // Without a worker each provider would fail, some after seconds.
            let listings = await addWorker(to: &list, context) ? await context.listProviders() : nil
            if let listings { add(listings, to: &list) }
            for folder in context.settings.providerFolders { addFolder(folder, "providers in", to: &list) }
            addFolder(context.settings.configurationFolder, "settings in", to: &list)
            addSettings(to: &list, listings ?? [], context)
            let packs = InstalledPackChecks(
                store: PackStore(folder: context.settings.packFolder), lockfiles: context.settings.lockfiles)
            let packCount = packs.add(to: &list)
            if packCount == 0 { list.add(.neutral, "packs", "none installed") }
            addUpdates(to: &list, context)
            addPictures(to: &list, context)
            if let listings { try addKeys(of: listings, to: &list, context) }
            for line in list.lines(on: context.terminal) { try context.printLine(line) }
            if list.hasFailure { throw ExitStatus.failure }
        }
    }

    /// Has a worker start: what the list shows of providers may be stored.
    private func addWorker(to list: inout CheckList, _ context: AppContext) async -> Bool {
        do throws(ProviderError) {
            let sandbox = try await context.checkSandbox()
            let libraries = ProgramVersion.workerLibraries(context.settings.worker)
            list.add(
                .good, "worker", ([context.settings.worker] + (libraries.map { [$0] } ?? [])).joined(separator: ", "))
            list.add(.good, "sandbox", sandbox.joined(separator: ", "))
            return true
        } catch {
            list.add(.bad, "worker", error.message, hint: ErrorHint.text(for: error))
            return false
        }
    }

    private func add(_ listings: [ProviderListing], to list: inout CheckList) {
        let failures = listings.compactMap { listing -> ProviderError? in
            if case .failure(let error) = listing.manifest { error as? ProviderError } else { nil }
        }
        if listings.isEmpty {
            list.add(.bad, "providers", "none found", hint: "put NAME.js into one of the folders below")
        } else {
            let usable = listings.count - failures.count
            list.add(usable > 0 ? .good : .bad, "providers", "\(usable) usable")
        }
        for listing in listings {
            // What cannot be loaded is a finding of its own.
            guard let note = try? listing.manifest.get().deprecated else { continue }
            list.add(.doubtful, listing.id.description, note.description)
        }
        for listing in listings {
            guard let broken = listing.broken else { continue }
            list.add(.doubtful, listing.id.description, broken.description, hint: broken.hint)
        }
        for failure in failures {
            list.add(.bad, failure.provider, failure.description, hint: ErrorHint.text(for: failure))
        }
    }

    /// Faults of the settings: of their form, or names that no provider has.
    private func addSettings(to list: inout CheckList, _ listings: [ProviderListing], _ context: AppContext) {
        let environment = context.settings.environment
        let settings: Settings
        do throws(ConfigurationError) {
            settings = try Settings(in: environment, profile: engine.network.profile)
        } catch { return list.add(.bad, "settings", "\(error)", hint: ErrorHint.text(for: error)) }
        let names = SettingsNames(settings, besides: engine.providerFolders, in: environment)
        for fault in names.faults(in: settings) { list.add(.doubtful, "settings", fault) }
        for provider in settings.providers {
            // What cannot be loaded is a finding of its own.
            guard let manifest = try? listings.first(where: { $0.id.description == provider })?.manifest.get() else {
                continue
            }
            for (key, value) in settings.values(for: provider).sorted(by: { $0.key < $1.key })
            where key.hasPrefix("param.") {
                let name = String(key.dropFirst("param.".count))
                guard let fault = SettingsParameters.fault(of: name, value.texts, manifest) else { continue }
                list.add(.doubtful, "settings", "\(value.origin): \(fault)")
            }
        }
    }

    /// A folder that does not exist counts as empty.
    private func addFolder(_ folder: String, _ subject: String, to list: inout CheckList) {
        if access(folder, R_OK | X_OK) == 0 {
            list.add(.good, subject, folder)
        } else if errno == ENOENT {
            list.add(.neutral, subject, "\(folder) (does not exist)")
        } else {
            list.add(.bad, subject, "could not read \(folder): \(String(cString: strerror(errno)))")
        }
    }

    /// The core pack, newer versions that the stored indexes have, and these indexes.
    private func addUpdates(to list: inout CheckList, _ context: AppContext) {
        do {
            let known = try KnownPacks(context.settings)
            let own = try known.userLockfile.flatMap { try Lockfile(path: $0) } ?? Lockfile()
            if let core = known.core(own) {
                let shipped = known.shipped.pack.map { core.isShipped ? "ships with imgscript" : "\($0.version) ships" }
                list.add(.good, CorePack.name, [core.version, shipped].compactMap(\.self).joined(separator: ", "))
            }
            for update in known.updates() {
                list.add(
                    .doubtful, update.name, "\(update.newest.version) is available (in use: \(update.version))",
                    hint: "imgscript pack update \(update.name)")
            }
            for index in known.store.trusted.all {
                let content = known.store.stored(index)?.content
                list.add(
                    content == nil ? .neutral : .good, "index \(index.name)",
                    content.map { "\(PackContext.count($0.packs.count)), of \($0.made)" } ?? "not fetched yet",
                    hint: content == nil ? "imgscript pack indexes refresh fetches it" : nil)
            }
        } catch { list.add(.bad, "indexes", "\(error)", hint: ErrorHint.text(for: error)) }
    }

    private func addPictures(to list: inout CheckList, _ context: AppContext) {
        if let program = PictureRenderer.program(in: context.settings.environment) {
            list.add(.good, "pictures", program)
        } else {
            list.add(
                .neutral, "pictures", "no chafa: --preview and browse show none", hint: "apt install chafa installs it")
        }
    }

    private func addKeys(of listings: [ProviderListing], to list: inout CheckList, _ context: AppContext) throws {
        // Providers that cannot be loaded are findings of their own.
        let manifests = listings.compactMap { try? $0.manifest.get() }
        let entries = try context.engine.listSecrets(of: manifests)
        for manifest in manifests {
            let own = entries.filter { $0.owner.provider == manifest.id }
            if own.isEmpty { continue }
            list.add(.good, "key of \(manifest.id)", own.map { "\($0.name) from \($0.origin)" }.joined(separator: ", "))
        }
        let missing =
            manifests
            .filter { manifest in manifest.needsKey && !entries.contains { $0.owner.provider == manifest.id } }
            .map(\.id.description)
        if missing.isEmpty { return }
        list.add(
            .doubtful, "no key", "for \(missing.joined(separator: ", "))", hint: "imgscript auth set NAME stores a key")
    }
}
