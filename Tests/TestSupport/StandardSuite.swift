import Foundation

/// A test suite of others, held against a part of the program; it lies in a folder outside the repository.
///
/// ```swift
/// @Suite(.enabled(if: StandardSuite.has("ada-url+ada"), "IMGSCRIPT_SUITES names no folder with this suite"))
/// struct URLStandardSuite {
///     @Test func urls() throws {
///         var suite = StandardSuite("web-platform-tests, urltestdata.json", against: "URLs of both processes")
///         for test in try suite.objects(in: "ada-url+ada/tests/wpt/urltestdata.json") { suite.note(…) }
///         #expect(suite.faults == [])
///     }
/// }
/// ```
package struct StandardSuite {
    /// The folder of suites that `IMGSCRIPT_SUITES` names; nil where they are not to be run.
    package static let folder = ProcessInfo.processInfo.environment["IMGSCRIPT_SUITES"]

    /// Whether the folder of suites has a file, and its tests are to be run.
    package static func has(_ file: String) -> Bool {
        folder.map { FileManager.default.fileExists(atPath: "\($0)/\(file)") } ?? false
    }

    private let name: String
    private let subject: String
    private var cases = 0
    private var passed = 0
    private var exceptions: [(reason: String, count: Int)] = []
    private var failures: [String] = []

    /// A suite by its name in `docs/conformance.md`, and the part of the program that it is held against.
    package init(_ name: String, against subject: String) { (self.name, self.subject) = (name, subject) }

    /// Notes one case.
    ///
    /// - Parameters:
    ///   - passes: whether the program does as the suite has it.
    ///   - label: what the case is, for the report of a failure.
    ///   - exception: the reason for which the program does otherwise on purpose; nil for none.
    package mutating func note(_ passes: Bool, _ label: @autoclosure () -> String, exception: String? = nil) {
        cases += 1
        if passes {
            passed += 1
        } else if let exception {
            if let index = exceptions.firstIndex(where: { $0.reason == exception }) {
                exceptions[index].count += 1
            } else {
                exceptions.append((exception, 1))
            }
        } else {
            failures.append(label())
        }
    }

    /// The cases that fail without a reason, and the row in `docs/conformance.md` where it says something else.
    ///
    /// With `IMGSCRIPT_CONFORMANCE=write` the row is written instead.
    package var faults: [String] {
        print("\(name): \(cases) cases, \(passed) passed, \(exceptions.map(\.count).reduce(0, +)) exceptions")
        let written = try? Self.write(row, of: name)
        return failures.prefix(50) + (written == true ? [] : ["docs/conformance.md has not: \(row)"])
    }

    private var row: String {
        let reasons = exceptions.map { "\($0.count): \($0.reason)" }.joined(separator: "; ")
        return "| \(name) | \(subject) | \(cases) | \(passed) | \(reasons.isEmpty ? "–" : reasons) |"
    }

    /// Whether the table has the row, which is put there first where that is wanted.
    private static func write(_ row: String, of name: String) throws -> Bool {
        let path = URL(filePath: #filePath).appending(path: "../../../docs/conformance.md").standardized.path
        guard ProcessInfo.processInfo.environment["IMGSCRIPT_CONFORMANCE"] == "write" else {
            return try String(contentsOfFile: path, encoding: .utf8).contains(row + "\n")
        }
        return try lock.withLock {
            var lines = try String(contentsOfFile: path, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            if let index = lines.firstIndex(where: { $0.hasPrefix("| \(name) |") }) {
                lines[index] = row[...]
            } else {
                let last = lines.lastIndex { $0.hasPrefix("|") } ?? lines.count - 1
                lines.insert(row[...], at: last + 1)
            }
            try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
            return true
        }
    }

    private static let lock = NSLock()
}

extension StandardSuite {
    /// The bytes of a suite's file.
    package func bytes(of file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: Self.folder ?? "").appending(path: file)))
    }

    /// A suite's file as text, with U+FFFD for what is not UTF-8.
    package func text(of file: String) throws -> String { String(decoding: try bytes(of: file), as: UTF8.self) }

    /// The names of a suite's files in a folder, in order.
    package func files(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(Self.folder ?? "")/\(folder)").sorted()
    }
}
