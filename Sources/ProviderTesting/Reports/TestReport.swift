import ProviderModel

/// The results of testing providers: suites of cases, each with its outcome and what explains it.
public struct TestReport: Hashable, Sendable {
    /// The outcome of a case, from best to worst.
    public enum Outcome: String, Sendable, CaseIterable {
        /// Everything is as expected.
        case passed
        /// Nothing was tried; the note gives the reason.
        case skipped
        /// Something to look at that fails no run.
        case warning
        /// Something is not as expected.
        case failed
    }

    /// One deviation from what is expected.
    public struct Problem: Hashable, Sendable {
        /// What was found and what was expected, in one or more lines.
        public var message: String
        /// What helps.
        public var hint: Hint?
        /// The position in the suite's files.
        public var location: SourceLocation?
        /// The path in the result: `items[3].media[0].url`.
        public var path: String?
        /// Lines that begin with `-` (expected), `+` (found) or a space (both); nil without a comparison.
        public var diff: String?

        /// Creates a problem.
        ///
        /// - Parameters:
        ///   - message: what was found and what was expected, in one or more lines.
        ///   - hint: what helps.
        ///   - location: the position in the suite's files.
        ///   - path: the path in the result, such as `items[3].media[0].url`.
        ///   - diff: lines that begin with `-` (expected), `+` (found) or a space (both).
        public init(
            _ message: String, hint: Hint? = nil, location: SourceLocation? = nil, path: String? = nil,
            diff: String? = nil
        ) {
            self.message = message
            self.hint = hint
            self.location = location
            self.path = path
            self.diff = diff
        }

        /// The message, after the path where it does not name it itself.
        var text: String {
            guard let path, !message.contains("\(path): ") else { return message }
            return "\(path): \(message)"
        }
    }

    /// One check, or one `test` of a test file.
    public struct Case: Hashable, Sendable {
        /// The names of the enclosing `describe` blocks, outermost first.
        public var groups: [String]
        /// The name of the check or test.
        public var name: String
        /// The outcome.
        public var outcome: Outcome
        /// Figures, or why the case was skipped.
        public var note: String?
        /// What helps with a skipped case.
        public var hint: Hint?
        /// What is wrong; not empty for a failure or a warning.
        public var problems: [Problem]
        /// How long the case took.
        public var duration: Duration
        /// The peak memory of the script's process in bytes, if measured.
        public var memory: Int?
        /// What the script wrote with `console`, line by line.
        public var output: [String]

        /// Creates a case.
        ///
        /// - Parameters:
        ///   - groups: the names of the enclosing `describe` blocks, outermost first.
        ///   - name: the name of the check or test.
        ///   - outcome: the outcome.
        ///   - note: figures, or why the case was skipped.
        ///   - hint: what helps with a skipped case.
        ///   - problems: what is wrong; required for a failure or a warning.
        ///   - duration: how long the case took.
        ///   - memory: the peak memory of the script's process in bytes.
        ///   - output: what the script wrote with `console`, line by line.
        public init(
            groups: [String] = [], _ name: String, _ outcome: Outcome, note: String? = nil, hint: Hint? = nil,
            problems: [Problem] = [], duration: Duration = .zero, memory: Int? = nil, output: [String] = []
        ) {
            self.groups = groups
            self.name = name
            self.outcome = outcome
            self.note = note
            self.hint = hint
            self.problems = problems
            self.duration = duration
            self.memory = memory
            self.output = output
        }

        /// The note and the hint, as one line.
        var noteWithHint: String? {
            let texts = [note, hint?.description].compactMap(\.self)
            return texts.isEmpty ? nil : texts.joined(separator: "; ")
        }

        /// The names of its groups and its own, as one line.
        public var fullName: String { (groups + [name]).joined(separator: " › ") }
    }

    /// The cases of one file: a provider's conformance, or a test file.
    public struct Suite: Hashable, Sendable {
        /// The name for display: `pixabay conformance`, `pixabay.test.js`.
        public var name: String
        /// The provider's id.
        public var provider: String
        /// The folder of the files in locations.
        public var folder: String
        /// Whether the live service answered, and not cassettes.
        public var isLive: Bool
        /// The cases in the order they ran.
        public var cases: [Case]
        /// How long the suite took.
        public var duration: Duration

        /// Creates a suite.
        ///
        /// - Parameters:
        ///   - name: the name for display, such as `pixabay.test.js`.
        ///   - provider: the provider's id.
        ///   - folder: the folder of the files in locations.
        ///   - isLive: whether the live service answered, and not cassettes.
        ///   - cases: the cases in the order they ran.
        ///   - duration: how long the suite took.
        public init(
            _ name: String, provider: String, folder: String, isLive: Bool = false, cases: [Case] = [],
            duration: Duration = .zero
        ) {
            self.name = name
            self.provider = provider
            self.folder = folder
            self.isLive = isLive
            self.cases = cases
            self.duration = duration
        }
    }

    /// The suites in the order they ran.
    public var suites: [Suite]

    /// Creates a report.
    ///
    /// - Parameter suites: the suites in the order they ran.
    public init(suites: [Suite] = []) { self.suites = suites }

    /// Counts cases by outcome.
    ///
    /// - Parameter outcome: the outcome to count.
    /// - Returns: the number of cases with it, in all suites.
    public func count(of outcome: Outcome) -> Int {
        suites.reduce(0) { count, suite in count + suite.cases.count { $0.outcome == outcome } }
    }

    /// Whether any case failed.
    public var hasFailed: Bool { count(of: .failed) > 0 }

    /// Every problem of a failed case, one line each; empty when no case failed.
    public var failures: [String] {
        suites.flatMap { suite in
            suite.cases.filter { $0.outcome == .failed }.flatMap { failed in
                failed.problems.map { problem in
                    let place = problem.location.map { "\($0): " } ?? ""
                    return "\(suite.name): \(failed.fullName): \(place)\(problem.text)"
                }
            }
        }
    }
}

// MARK: - Errors as problems

extension TestReport.Problem {
    /// An error as a problem, with its place.
    init(_ error: any Error, during what: String, hint: Hint? = nil, at location: SourceLocation? = nil) {
        guard let error = error as? ProviderError else {
            self.init("\(what): \(error)", hint: hint, location: location)
            return
        }
        let path = error.path.map { "\($0): " } ?? ""
        self.init(
            "\(what): \(path)\(error.message)", hint: hint ?? error.hint, location: error.location ?? location,
            path: error.path)
    }

    /// An error and what else was found with it, each as a problem.
    static func all(of error: any Error) -> [TestReport.Problem] {
        guard let error = error as? ProviderError else { return [TestReport.Problem("\(error)")] }
        return ([error] + error.others).map {
            TestReport.Problem($0.message, hint: $0.hint, location: $0.location, path: $0.path)
        }
    }
}

extension TestReport.Case {
    /// A case that failed with an error.
    package init(failed name: String, _ error: any Error, output: [String] = []) {
        self.init(name, .failed, problems: TestReport.Problem.all(of: error), output: output)
    }
}
