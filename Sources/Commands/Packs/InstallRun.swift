import ImgScript
import Packs
import ProviderRuntime

/// Packs on their way in: each shown, judged, tested, asked about, used.
struct InstallRun {
    let context: PackContext
    let installer: PackInstaller
    let consent: ConsentOptions

    /// A pack that is wanted: where it is, and its name where that is known.
    struct Wanted {
        var name: String?
        let source: String
    }

    /// How much of a changelog is shown: a longer one would push what is asked for off the screen.
    private static let mostChanges = 24

    /// Installs packs one after the other; one that cannot be installed keeps no other from it.
    func install(_ packs: [Wanted]) async throws {
        var isFailed = false
        for pack in packs {
            do { try await install(from: try context.source(pack.source)) } catch let error as PackError {
                guard packs.count > 1 else { throw error }
                context.app.status.error(pack.name.map(error.about) ?? error)
                isFailed = true
            } catch ExitStatus.failure {
                isFailed = true
            }
        }
        if isFailed { throw ExitStatus.failure }
    }

    /// Installs what lies at a source, unless it is installed already.
    private func install(from source: PackSource) async throws {
        let candidate = try await installer.candidate(from: source, key: try context.key(consent.key))
        let plan = try installer.plan(for: candidate)
        let title = "\(plan.name) \(plan.next.version)"
        if plan.isUnchanged, context.store.holds(plan.next, named: plan.name, asIn: candidate.folder) {
            return context.app.status.note("\(title) is installed already")
        }
        for line in PackDescription(candidate).lines(on: context.app.terminal) { try context.app.printLine(line) }
        if !plan.isUnchanged { try tell(plan) }
        try context.app.output.flush()
        for remark in candidate.remarks { context.app.status.warning(remark) }
        for remark in try NeighbourRemarks(plan, context).sentences { context.app.status.warning(remark) }
        var objections = plan.objections
        if objections.allSatisfy({ consent.accept.contains($0.acceptance) }), plan.former != nil, !plan.isSameContent {
            objections += try await testObjections(to: candidate)
        }
        try judge(objections)
        let isRepair = plan.isUnchanged
        if isRepair { context.app.status.note("its files were changed after it was installed, or are gone") }
        let question =
            isRepair
            ? "Put \(title) right?"
            : plan.former.map { "Replace \(plan.name) \($0.version) by \(plan.next.version)?" } ?? "Install \(title)?"
        if case .dryRun = context.app.settings.answers {
            return context.app.status.note("nothing was changed: --dry-run")
        }
        try Confirmation.ask(question, isGiven: consent.yes, context.app.status)
        try installer.carryOut(plan)
        tellEnd(plan)
    }

    private func tell(_ plan: InstallPlan) throws {
        guard let former = plan.former, let difference = plan.difference else { return }
        let terminal = context.app.terminal
        try context.app.printLine("")
        try context.app.printLine(
            TableCell("Since \(former.version), which is installed", .bold).rendered(on: terminal))
        try tellChanges(plan)
        if let move = plan.move {
            try context.app.printLine(
                TableCell("+ comes from \(move.to), and \(former.version) came from \(move.from)", .warning)
                    .rendered(on: terminal))
        }
        for phrase in difference.added {
            try context.app.printLine(TableCell("+ \(phrase)", .warning).rendered(on: terminal))
        }
        for phrase in difference.removed {
            try context.app.printLine(TableCell("- \(phrase)", .dim).rendered(on: terminal))
        }
        if difference.added.isEmpty, difference.removed.isEmpty { try context.app.printLine("  asks for the same") }
    }

    private func tellChanges(_ plan: InstallPlan) throws {
        let terminal = context.app.terminal
        let lines = plan.changes
        for line in lines.prefix(Self.mostChanges) {
            let text = String(line.drop { $0 == "#" || $0 == " " }).cut(to: 300)
            try context.app.printLine(
                "  " + TableCell(text, line.hasPrefix("#") ? .bold : .plain).rendered(on: terminal))
        }
        let more = lines.count - Self.mostChanges
        guard more > 0 else { return }
        let count = "\(more.grouped) more \(more == 1 ? "line" : "lines")"
        try context.app.printLine("  " + TableCell("… and \(count) of its CHANGELOG.md", .dim).rendered(on: terminal))
    }

    /// A new version shows in the sandbox that it holds, before it takes the place of one that does.
    private func testObjections(to candidate: PackCandidate) async throws -> [Objection] {
        context.app.status.note("running its own recordings in the sandbox")
        let report = try await context.checks(of: candidate.manifest, in: candidate.folder)
        do {
            try PackConformance.require(report, of: candidate.manifest.name)
            return []
        } catch {
            return [Objection(.tests, "\(candidate.manifest.name) \(candidate.manifest.version): \(error.message)")]
        }
    }

    /// Refuses where something speaks against it that was not accepted.
    private func judge(_ objections: [Objection]) throws {
        var isRefused = false
        for objection in objections {
            if consent.accept.contains(objection.acceptance) {
                context.app.status.note("accepted: \(objection.reason)")
            } else {
                isRefused = true
                context.app.status.error(
                    "refused: \(objection.reason)", hint: "--accept \(objection.acceptance.rawValue) accepts it")
            }
        }
        if isRefused { throw ExitStatus.failure }
    }

    private func tellEnd(_ plan: InstallPlan) {
        let status = context.app.status
        let name = plan.next.providers.keys.min() ?? ""
        status.note("installed \(plan.name) \(plan.next.version); \(context.lockfile) says so")
        let keys = plan.candidate.fetched.source.unkeptKeys
        if !keys.isEmpty {
            status.note(
                "its address has a key (\(keys.joined(separator: ", "))), which is not kept: "
                    + "an update takes the whole address again, with imgscript pack install")
        }
        if plan.isUnchanged { return }
        if plan.former == nil {
            let keyed = plan.candidate.permissions.providers.filter(\.needsKey).map(\.id.description)
            if let first = keyed.first { status.note("its keys are stored with: imgscript auth set \(first)") }
            status.note("try: imgscript search -p \(name) fox")
        } else {
            status.note("imgscript pack rollback \(plan.name) goes back to \(plan.former?.version ?? "")")
        }
    }
}
