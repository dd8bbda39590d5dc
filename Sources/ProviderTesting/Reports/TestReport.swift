import ProviderModel

/// What came of testing providers: suites of cases, each with its outcome and what explains it.
public struct TestReport: Hashable, Sendable {
    /// What came of one case, from best to worst.
    public enum Outcome: String, Sendable, CaseIterable {
        /// As it should be.
        case passed
        /// Nothing was tried; the note says why.
        case skipped
        /// Something to look at, which fails no run.
        case warning
        /// Not as it should be.
        case failed
    }

    /// One thing that is not as it should be.
    public struct Problem: Hashable, Sendable {
        /// What was found and what was expected, in one or more lines.
        public var message: String
        /// What to do next.
        public var hint: Hint?
        /// Where in the suite's files.
        public var location: SourceLocation?
        /// Where in the result: `items[3].media[0].url`.
        public var path: String?
        /// Lines that begin with `-` (expected), `+` (found) or a space (both); nil when nothing is compared.
        public var diff: String?

        /// A problem.
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
        /// The names around it, outermost first: those of `describe`.
        public var groups: [String]
        /// Its own name.
        public var name: String
        /// What came of it.
        public var outcome: Outcome
        /// What a reader should know of a case without problems: figures, or why it was skipped.
        public var note: String?
        /// What to do about a skipped case.
        public var hint: Hint?
        /// What is wrong; not empty for a failure or a warning.
        public var problems: [Problem]
        /// How long it took.
        public var duration: Duration
        /// The most bytes that the script's process held at a time, where that was measured.
        public var memory: Int?
        /// What the script wrote with `console`, line by line.
        public var output: [String]

        /// A case.
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
        /// The folder that the files of locations lie in.
        public var folder: String
        /// Whether the real service answered.
        public var isLive: Bool
        /// In the order they ran.
        public var cases: [Case]
        /// How long all took.
        public var duration: Duration

        /// A suite.
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

    /// In the order they ran.
    public var suites: [Suite]

    /// A report.
    public init(suites: [Suite] = []) { self.suites = suites }

    /// How many cases had an outcome.
    public func count(of outcome: Outcome) -> Int {
        suites.reduce(0) { count, suite in count + suite.cases.count { $0.outcome == outcome } }
    }

    /// Whether any case failed.
    public var hasFailed: Bool { count(of: .failed) > 0 }

    /// Every problem of a failed case, as lines of text: empty when all is well.
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
