import ProviderModel

/// How often the parts of a provider's file were executed.
package struct FileCoverage: Hashable, Sendable, WireRecord {
    /// A line with code on it.
    package struct Line: Hashable, Sendable, WireRecord {
        /// From 1.
        package var number: Int
        /// How often it was reached.
        package var count: Int

        /// Creates the count of a line.
        package init(number: Int, count: Int) {
            self.number = number
            self.count = count
        }

        package static let blank = Line(number: 0, count: 0)
        package static let wireFields: [WireField<Self>] = [.init(\.number), .init(\.count)]
    }

    /// A function.
    package struct Function: Hashable, Sendable, WireRecord {
        /// Its name, or what it is the value of.
        package var name: String
        /// The line it begins on.
        package var line: Int
        /// How often it was called.
        package var count: Int

        /// Creates the count of a function.
        package init(name: String, line: Int, count: Int) {
            self.name = name
            self.line = line
            self.count = count
        }

        package static let blank = Function(name: "", line: 0, count: 0)
        package static let wireFields: [WireField<Self>] = [.init(\.name), .init(\.line), .init(\.count)]
    }

    /// One branch of a condition.
    package struct Branch: Hashable, Sendable, WireRecord {
        /// The line of the condition.
        package var line: Int
        /// The condition's number in the file; its branches have the same.
        package var condition: Int
        /// How often it went this way.
        package var count: Int

        /// Creates the count of a branch.
        package init(line: Int, condition: Int, count: Int) {
            self.line = line
            self.condition = condition
            self.count = count
        }

        package static let blank = Branch(line: 0, condition: 0, count: 0)
        package static let wireFields: [WireField<Self>] = [.init(\.line), .init(\.condition), .init(\.count)]
    }

    /// The file's name in its pack: `pixabay.js`.
    package var file: String
    /// In the file's order.
    package var lines: [Line] = []
    /// In the file's order.
    package var functions: [Function] = []
    /// In the file's order.
    package var branches: [Branch] = []
    /// Why there are no counts: the parser could not parse the file.
    package var trouble: String?

    /// Creates coverage without counts.
    package init(file: String) { self.file = file }

    package static let blank = FileCoverage(file: "")
    package static let wireFields: [WireField<Self>] = [
        .init(\.file), .init(\.lines), .init(\.functions), .init(\.branches), .init(\.trouble),
    ]
}
