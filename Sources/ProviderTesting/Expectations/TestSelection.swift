import ProviderRuntime

/// Which tests of a file are run.
struct TestSelection: Hashable {
    /// What is done with a test.
    enum Choice: Hashable {
        case run
        /// It is told of, with the reason.
        case skip(String)
        /// It is not told of: the user asked for others.
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
