import ProviderModel
import ProviderRuntime

/// How far a test file has been run, and what its report will say.
///
/// Values only: what runs the tests stands elsewhere.
struct ExpectationProgress {
    /// What `console` said while the file was read.
    var loadOutput: [String] = []
    private let tests: [TestWorker.Description]
    private let choices: [TestSelection.Choice]
    private let mode: TestSettings.Snapshots
    private var results: [Int: TestReport.Case] = [:]
    private var seen: [TestWorker.Outcome.Snapshot] = []
    private var position = 0
    /// Why the tests that are left are not run.
    private var end: String?

    init(tests: [TestWorker.Description], choices: [TestSelection.Choice], mode: TestSettings.Snapshots) {
        self.tests = tests
        self.choices = choices
        self.mode = mode
    }

    /// The next test to run; nil when there is none.
    mutating func next(stoppingAtFailure: Bool) -> Int? {
        if stoppingAtFailure, results.values.contains(where: { $0.outcome == .failed }) {
            end = end ?? "not run: an earlier test failed"
        }
        guard end == nil else { return nil }
        while position < tests.count {
            defer { position += 1 }
            if choices[position] == .run { return position }
        }
        return nil
    }

    /// Runs nothing more after a test.
    mutating func stop(after index: Int) { end = "not run: stopped by \"\(tests[index].fullName)\"" }

    /// Notes what came of a test.
    mutating func finish(
        _ index: Int, _ result: Result<TestWorker.Outcome, any Error>, unmatched: [UnmatchedRequest],
        reasonToSkip: String? = nil, duration: Duration, output: [String]
    ) {
        if let reasonToSkip {
            results[index] = skipped(index, reasonToSkip)
            return
        }
        var (problems, note): ([TestReport.Problem], String?) = ([], nil)
        switch result {
        case .failure(let error):
            problems = TestReport.Problem.all(of: error)
        case .success(let outcome):
            (problems, note) = judge(outcome)
            seen += outcome.snapshots
        }
        let known = problems.map(\.message).joined()
        for request in unmatched where !known.contains(request.description) {
            problems.append(TestReport.Problem(request.description, location: tests[index].location))
        }
        // A worker that was killed cannot say where it was.
        if !problems.isEmpty, (problems[0].location?.line ?? 0) == 0 { problems[0].location = tests[index].location }
        results[index] = TestReport.Case(
            groups: tests[index].groups, tests[index].name, problems.isEmpty ? .passed : .failed,
            note: note, problems: problems, duration: duration, output: output)
    }

    private func judge(_ outcome: TestWorker.Outcome) -> ([TestReport.Problem], String?) {
        var problems: [TestReport.Problem] = []
        if let failure = outcome.failure {
            var problem = TestReport.Problem(failure.message, hint: failure.code?.limitHint, location: failure.location)
            if let expected = failure.expected, let received = failure.received {
                let difference = LineDifference(
                    from: Self.shortened(expected, to: 1_000), to: Self.shortened(received, to: 1_000))
                problem.diff = Self.shortened(difference.text, to: 100)
            }
            if outcome.snapshots.last?.state == .differs {
                problem.hint = .several(["check the new value", .updateSnapshots])
            }
            problems.append(problem)
        }
        let added = outcome.snapshots.filter { $0.state == .added }.map(\.name)
        if mode == .none, !added.isEmpty {
            problems += added.map {
                TestReport.Problem(
                    "no snapshot \($0.quoted) to compare with", hint: .writeSnapshots)
            }
        }
        let changed = outcome.snapshots.count { $0.state == .changed }
        let words = [
            (mode == .new || mode == .all ? added.count : 0, "kept"), (changed, "updated"),
            (mode == .ignore ? outcome.snapshots.count : 0, "not compared"),
        ].compactMap { count, what in
            count == 0 ? nil : "\(count) \(count == 1 ? "snapshot" : "snapshots") \(what)"
        }
        return (problems, words.isEmpty ? nil : words.joined(separator: ", "))
    }

    /// The first lines: comparing grows with the square of what differs, and more than a screen or two is not read.
    private static func shortened(_ text: String, to most: Int) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.count <= most ? text : lines.prefix(most).joined(separator: "\n") + "\n …"
    }

    /// The report's cases; new values are put into `snapshots`.
    func cases(file: String, keeping snapshots: inout SnapshotFile) -> [TestReport.Case] {
        guard !tests.isEmpty else {
            let problem = TestReport.Problem(
                "found no tests (expected at least one)", location: SourceLocation(file: file))
            return [TestReport.Case("the file has tests", .failed, problems: [problem], output: loadOutput)]
        }
        var cases = tests.indices.compactMap { index -> TestReport.Case? in
            switch choices[index] {
            case .leaveOut: return nil
            case .skip(let reason): return skipped(index, reason)
            case .run: return results[index] ?? skipped(index, end ?? "not run")
            }
        }
        if !loadOutput.isEmpty, !cases.isEmpty { cases[0].output = loadOutput + cases[0].output }
        if let stale = keep(in: &snapshots) { cases.append(stale) }
        return cases
    }

    private func skipped(_ index: Int, _ reason: String) -> TestReport.Case {
        TestReport.Case(groups: tests[index].groups, tests[index].name, .skipped, note: reason)
    }

    /// Keeps what is new, and reports what is obsolete.
    private func keep(in snapshots: inout SnapshotFile) -> TestReport.Case? {
        guard mode != .ignore else { return nil }
        if mode != .none {
            for snapshot in seen where snapshot.state == .added || snapshot.state == .changed {
                // The worker wrote the JSON; one that cannot be read is not worth keeping.
                if let value = try? JSONValue(parsing: snapshot.json.utf8) { snapshots.keep(value, as: snapshot.name) }
            }
        }
        let unfinished = tests.indices.filter { results[$0]?.outcome != .passed }.map { tests[$0].fullName }
        let obsolete = snapshots.obsolete(seen: Set(seen.map(\.name)), unfinished: unfinished)
        guard !obsolete.isEmpty else { return nil }
        if mode == .all {
            snapshots.drop(obsolete)
            return nil
        }
        let problems = obsolete.prefix(6).map { name in
            TestReport.Problem("no test uses the snapshot \(name.quoted)", hint: .updateSnapshots)
        }
        let more = obsolete.count > 6 ? "\(obsolete.count) in all" : nil
        return TestReport.Case("every snapshot is used", .warning, note: more, problems: Array(problems))
    }
}

/// Which tests of a file are run.
struct TestSelection: Hashable {
    /// What is done with a test.
    enum Choice: Hashable {
        case run
        /// It is reported, with the reason.
        case skip(String)
        /// It is not reported: the user asked for others.
        case leaveOut
    }

    /// In the tests' order.
    let choices: [Choice]

    /// Chooses by the authors' marks and the user's filter.
    init(_ tests: [TestWorker.Description], filter: String?) {
        let hasOnly = tests.contains { $0.mark == .only }
        let wanted = filter?.lowercased()
        choices = tests.map { test in
            if let wanted, !test.fullName.lowercased().contains(wanted) { return .leaveOut }
            switch test.mark {
            case .todo: return .skip("still to be written")
            case .skip: return .skip("marked with skip")
            case .only: return .run
            case .none: return hasOnly ? .skip("others are marked with only") : .run
            }
        }
    }
}

extension TestWorker.Description {
    /// The names of its groups and its own, as one line.
    var fullName: String { (groups + [name]).joined(separator: " › ") }
}
