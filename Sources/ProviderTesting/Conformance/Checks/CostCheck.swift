import ProviderModel

/// How long a page takes, and how much memory the script needs.
struct CostCheck: ConformanceCheck {
    let name = "time and memory per page"
    let reason = "A page has two seconds and some hundred megabytes; most need a thousandth of that."

    /// The part of what is allowed that is worth a word.
    private static let noteworthy = 0.25
    private static let megabytes = 256

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        guard !subject.recorded.isEmpty else { return .skipped("no recorded answers") }
        var findings = CheckFindings()
        var notes: [String] = []
        findings.memory = subject.worker.flatMap { WorkerMemory.peak(of: $0) }
        for operation in Operation.allCases {
            guard let known = subject.recorded.first(where: { $0.call.operation == operation }) else { continue }
            var best = known.duration
            var memory: Int?
            for _ in 0..<2 {
                let before = subject.worker.flatMap { worker in
                    WorkerMemory.forgetPeak(of: worker) ? WorkerMemory.held(by: worker) : nil
                }
                best = min(best, await subject.play(known.call).duration)
                let peak = subject.worker.flatMap { WorkerMemory.peak(of: $0) }
                if let before, let peak { memory = max(memory ?? 0, peak - before) }
                findings.memory = max(findings.memory ?? 0, peak ?? 0)
            }
            let items = known.result.page.map { " for \($0.items.count.counted("item"))" } ?? ""
            let bytes = memory.map { " and \($0.shownAsBytes)" } ?? ""
            notes.append("\(operation) \(best.shown)\(bytes)\(items)")
            if best.inSeconds > subject.settings.deadline.inSeconds * Self.noteworthy {
                findings.warn(
                    TestReport.Problem(
                        "\(known.call): found \(best.shown) over recorded answers, expected less than "
                            + "\((subject.settings.deadline * Self.noteworthy).shown)",
                        hint: "look for work that grows with the square of the items",
                        location: subject.location(of: operation)))
            }
        }
        if let memory = findings.memory, Double(memory) > Double(Self.megabytes << 20) * Self.noteworthy * 2 {
            findings.warn(
                TestReport.Problem(
                    "found \(memory.shownAsBytes), half of what a script may have", hint: "keep less of the answer"))
        }
        findings.note = notes.joined(separator: ", ")
        return findings
    }
}
