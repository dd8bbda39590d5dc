import Glibc
import ImgScript
import Packs
import ProviderRuntime

/// Installs packs one after the other: each is shown, reviewed, tested, confirmed and put into place.
struct InstallRun {
    let context: PackContext
    let consent: ConsentOptions

    /// A pack to install; its name where that is known.
    struct Request {
        var name: String?
        /// Where it is; one that cannot be read does not keep the others from being installed.
        let source: Result<PackSource, any Error>
    }

    /// How much of a changelog is shown: a longer one would push what is asked for off the screen.
    private static let shownChanges = 24

    /// Installs packs; one that cannot be installed does not prevent the others.
    func install(_ requests: [Request]) async throws {
        let installer = try context.installer(for: requests.compactMap { try? $0.source.get() })  // others fail below
        var hasFailed = false
        for request in requests {
            do { try await install(from: try request.source.get(), with: installer) } catch let error as PackError {
                guard requests.count > 1 else { throw error }
                context.app.status.error(request.name.map(error.about) ?? error)
                hasFailed = true
            } catch ExitStatus.failure {
                hasFailed = true
            }
        }
        if hasFailed { throw ExitStatus.failure }
    }

    private func install(from source: PackSource, with installer: PackInstaller) async throws {
        let status = context.app.status
        let candidate = try await installer.candidate(from: source, key: try context.key(consent.key))
        let plan = try installer.plan(for: candidate)
        if plan.isNoNewerThanShipped, let shipped = plan.current?.version {
            return status.note(
                "\(plan.name) \(plan.next.version) is not installed: \(shipped) ships with this program")
        }
        if plan.isUnchanged, context.store.condition(of: plan.next, named: plan.name) == .intact {
            return status.note("\(plan.name) \(plan.next.version) is already installed")
        }
        try show(plan)
        try await review(plan)
        if plan.isUnchanged { status.note("its files were changed or removed after the installation") }
        if case .dryRun = context.app.settings.answers { return status.note("nothing was changed: --dry-run") }
        try Confirmation.ask(question(plan), isGiven: consent.yes, status)
        try installer.place(plan)
        confirm(plan)
    }

    private func question(_ plan: InstallPlan) -> String {
        if plan.isUnchanged { return "Repair \(plan.name) \(plan.next.version)?" }
        guard let current = plan.current else { return "Install \(plan.name) \(plan.next.version)?" }
        return "Replace \(plan.name) \(current.version) with \(plan.next.version)?"
    }

    // MARK: Review

    /// Refuses what the user has not accepted; what is accepted so far has to pass its own tests as well.
    private func review(_ plan: InstallPlan) async throws {
        var objections = plan.objections + (try keyObjections(to: plan))
        let isAccepted = objections.allSatisfy { consent.accept.contains($0.acceptance) }
        if isAccepted, plan.current != nil, !plan.isSameContent { objections += try await failedTests(of: plan) }
        var isRefused = false
        for objection in objections {
            if consent.accept.contains(objection.acceptance) {
                context.app.status.note("accepted: \(objection.reason)")
            } else {
                isRefused = true
                context.app.status.error(
                    "refused: \(objection.reason)", hint: "--accept \(objection.acceptance.rawValue) allows it")
            }
        }
        if isRefused { throw ExitStatus.failure }
    }

    /// A new version has to pass its own tests before it replaces one that does.
    private func failedTests(of plan: InstallPlan) async throws -> [Objection] {
        let manifest = plan.candidate.manifest
        let changed = plan.changedProviders
        let count = manifest.providers.count
        context.app.status.note(
            "running its tests in the sandbox"
                + (changed.count < count ? " (\(changed.count) of \(count) providers changed)" : ""))
        let report = try await context.checks(of: manifest, in: plan.candidate.content.folder, files: changed)
        do {
            try PackChecks.require(report, of: manifest.name)
            return []
        } catch {
            return [Objection(.tests, "\(manifest.name) \(manifest.version): \(error.message)")]
        }
    }

    // MARK: Showing

    private func show(_ plan: InstallPlan) throws {
        let description = PackDescription(plan.candidate)
        try context.printLines(description.lines(on: context.app.terminal))
        if !plan.isUnchanged, let former = plan.current { try showChanges(plan, since: former) }
        try context.app.output.flush()
        for remark in description.remarks + conflicts(of: plan) { context.app.status.warning(remark) }
    }

    private func showChanges(_ plan: InstallPlan, since former: LockedPack) throws {
        let terminal = context.app.terminal
        func show(_ text: String, _ style: TextStyle) throws {
            try context.app.printLine(TableCell(text, style).rendered(on: terminal))
        }
        try context.app.printLine("")
        try show("Since \(former.version)\(plan.former == former ? "" : ", which ships with imgscript")", .bold)
        let lines = plan.changes
        for line in lines.prefix(Self.shownChanges) {
            try show(
                "  " + String(line.drop { $0 == "#" || $0 == " " }).cut(to: 300), line.hasPrefix("#") ? .bold : .plain)
        }
        let more = lines.count - Self.shownChanges
        if more > 0 {
            try show("  … and \(more.grouped) more \(more == 1 ? "line" : "lines") of its CHANGELOG.md", .dim)
        }
        let (added, removed) = (plan.next.permissions(beyond: former), former.permissions(beyond: plan.next))
        for phrase in added { try show("+ \(phrase)", .warning) }
        for phrase in removed { try show("- \(phrase)", .dim) }
        if added.isEmpty, removed.isEmpty { try context.app.printLine("  same permissions") }
    }

    /// The providers that the version in use does not have.
    private func added(by plan: InstallPlan) -> [(key: String, value: LockedProvider)] {
        plan.next.providers.filter { plan.current?.providers[$0.key] == nil }.sorted { $0.key < $1.key }
    }

    /// The new providers that would get keys which are there for others: stored ones, those in the environment, and those of a
    /// shipped one of the name.
    private func keyObjections(to plan: InstallPlan) throws -> [Objection] {
        let stored = Set(try context.app.engine.listSecrets(of: []).map(\.owner.provider.description))
        return added(by: plan).compactMap { id, provider in
            guard !provider.permissions.credentials.isEmpty else { return nil }
            let hosts = provider.permissions.hosts.map(\.description).joined(separator: ", ")
            if stored.contains(id) {
                return Objection(.key, "the stored key of \(id) would be sent to \(hosts)")
            }
            if isInEnvironment(id) {
                return Objection(.key, "the key of \(id) in the environment would be sent to \(hosts)")
            }
            guard isShipped(id) else { return nil }
            return Objection(
                .key, "its provider \(id) has the name of a shipped one, whose key would be sent to \(hosts)")
        }
    }

    private func isInEnvironment(_ id: String) -> Bool {
        let prefix = "IMGSCRIPT_\(id.uppercased().replacing("-", with: "_"))_"
        return context.app.settings.environment.contains { $0.key.hasPrefix(prefix) && !$0.value.isEmpty }
    }

    private func isShipped(_ id: String) -> Bool {
        context.app.settings.shippedFolders.contains { access("\($0)/\(id).js", F_OK) == 0 }
    }

    /// The conflicts of new providers with those that are on this machine.
    private func conflicts(of plan: InstallPlan) -> [String] { added(by: plan).compactMap { hiding($0.key) } }

    private func hiding(_ id: String) -> String? {
        let settings = context.app.settings
        guard let folder = settings.providerFolders.first(where: { access("\($0)/\(id).js", F_OK) == 0 }) else {
            return nil
        }
        return settings.shippedFolders.contains(folder)
            ? "its provider \(id) replaces the one that ships with imgscript"
            : "its provider \(id) is not used while \(folder)/\(id).js exists"
    }

    private func confirm(_ plan: InstallPlan) {
        let status = context.app.status
        status.note("installed \(plan.name) \(plan.next.version), locked in \(context.lockfile)")
        let keys = plan.candidate.fetched.source.unstoredKeys
        if !keys.isEmpty {
            status.note(
                "its URL has a key (\(keys.joined(separator: ", "))), which is not stored: "
                    + "to update, pass the whole URL to imgscript pack install again")
        }
        if plan.isUnchanged { return }
        if let former = plan.current {
            return status.note("imgscript pack rollback \(plan.name) goes back to \(former.version)")
        }
        let providers = plan.next.providers.sorted { $0.key < $1.key }
        if let id = providers.first(where: { $0.value.permissions.needsKey })?.key {
            status.note("imgscript auth set \(id) stores its key")
        }
        status.note("try: imgscript search -p \(providers.first?.key ?? "") fox")
    }
}

/// A question that is answered with yes or no before anything is changed.
enum Confirmation {
    /// Asks at the terminal; where there is none, `--yes` has to be given.
    static func ask(_ question: String, isGiven: Bool, _ status: StatusLine) throws {
        if isGiven { return }
        // The output too: what is agreed to stands there.
        guard [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].allSatisfy({ isatty($0) == 1 }) else {
            throw PackError(.permission, "not interactive: nothing was changed", hint: "--yes confirms without asking")
        }
        let bytes = Array("\(question) [y/N] ".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        let answer = readLine(strippingNewline: true)
        // Where the input ends, as by Ctrl-D, the line has not.
        if answer == nil { _ = write(STDERR_FILENO, "\n", 1) }
        let word = answer?.lowercased().filter { !$0.isWhitespace }
        guard word == "y" || word == "yes" else {
            status.note("nothing was changed")
            throw ExitStatus.failure
        }
    }
}
