import CJavaScriptCore
import ProviderModel
import WorkerProtocol

/// Counts which parts of a provider's files are executed: the engine has no such count, so counters are inserted in the text.
///
/// The parser that finds their positions runs here, in the sandbox, like everything that reads a provider's file.
final class CoverageProbe {
    /// A file's text with counters in it.
    struct CountedFile {
        /// The text.
        var text: String
        /// What the counters are called in it.
        var counter: String
        /// The counters.
        var counters: JSValueRef
        /// What was put in where.
        var insertions: InsertedColumns
    }

    private let runtime: ScriptRuntime
    private let instrument: JSObjectRef
    private let counters: JSObjectRef
    private let report: JSObjectRef

    /// Reads the parser acorn.
    init(parser: String, in environment: ScriptEnvironment) throws(ScriptRuntime.Interruption) {
        let runtime = environment.runtime
        self.runtime = runtime
        let load = try runtime.object(
            runtime.evaluate(
                "(function (source, module) { const exports = {};\n\(parser)\nreturn exports; })",
                file: "[imgscript]/acorn.js"))
        let acorn = try runtime.call(load, [.text(""), .value(JSObjectMake(runtime.context, nil, nil))])
        runtime.keep(acorn)
        defer { runtime.release(acorn) }
        let make = try runtime.object(
            runtime.evaluate(Prelude.text(PackageResources.coverage_js), file: "[imgscript]/coverage.js"))
        let made = try runtime.object(runtime.call(make, [.value(acorn)]))
        runtime.keep(made)
        instrument = try runtime.object(runtime.property("instrument", of: made))
        counters = try runtime.object(runtime.property("counters", of: made))
        report = try runtime.object(runtime.property("report", of: made))
    }

    /// The file with counters; nil when the parser cannot read it, which the report then says.
    func counted(_ source: String, file: String) throws(ScriptRuntime.Interruption) -> CountedFile? {
        let json = runtime.string(try runtime.call(instrument, [.text(file), .text(source)])) ?? "{}"
        var (text, counter): (String?, String?) = (nil, nil)
        var insertions = InsertedColumns()
        // The prelude wrote the JSON.
        try? ContractReader.read(Array(json.utf8), probe: { _ in "null" }) { reader throws(ContractViolation) in
            try reader.object { reader, name throws(ContractViolation) in
                switch name {
                case "text": text = try reader.string()
                case "counter": counter = try reader.string()
                case "insertions":
                    try reader.array { reader throws(ContractViolation) in
                        let numbers = try reader.integers()
                        if numbers.count == 3 {
                            insertions.add(line: numbers[0], column: numbers[1], length: numbers[2])
                        }
                    }
                default: try reader.skip()
                }
            }
        }
        guard let text, let counter else { return nil }
        let counters = try runtime.call(counters, [])
        runtime.keep(counters)
        return CountedFile(text: text, counter: counter, counters: counters, insertions: insertions)
    }

    /// How often what was reached so far.
    func files() throws(ScriptRuntime.Interruption) -> [FileCoverage] {
        let json = runtime.string(try runtime.call(report, [])) ?? "[]"
        var files: [FileCoverage] = []
        // The prelude wrote the JSON.
        try? ContractReader.read(Array(json.utf8), probe: { _ in "null" }) { reader throws(ContractViolation) in
            try reader.array { reader throws(ContractViolation) in files.append(try reader.fileCoverage()) }
        }
        return files
    }
}

extension ContractReader {
    /// A list of whole numbers; a count that a script has spoilt is 0.
    fileprivate mutating func integers() throws(ContractViolation) -> [Int] {
        var numbers: [Int] = []
        try array { reader throws(ContractViolation) in
            let isAbsent = try reader.takeAbsent("a number")
            numbers.append(isAbsent ? 0 : Int(exactly: try reader.number().rounded()) ?? 0)
        }
        return numbers
    }

    fileprivate mutating func fileCoverage() throws(ContractViolation) -> FileCoverage {
        var coverage = FileCoverage(file: "")
        try object { reader, name throws(ContractViolation) in
            switch name {
            case "file": coverage.file = try reader.string()
            case "trouble": coverage.trouble = try reader.optionalString()
            case "lines":
                try reader.array { reader throws(ContractViolation) in
                    let numbers = try reader.integers()
                    if numbers.count == 2 { coverage.lines.append(.init(number: numbers[0], count: numbers[1])) }
                }
            case "branches":
                try reader.array { reader throws(ContractViolation) in
                    let numbers = try reader.integers()
                    guard numbers.count == 3 else { return }
                    coverage.branches.append(.init(line: numbers[0], condition: numbers[1], count: numbers[2]))
                }
            case "functions":
                try reader.array { reader throws(ContractViolation) in coverage.functions.append(try reader.function())
                }
            default: try reader.skip()
            }
        }
        return coverage
    }

    private mutating func function() throws(ContractViolation) -> FileCoverage.Function {
        var function = FileCoverage.Function(name: "", line: 0, count: 0)
        try object { reader, name throws(ContractViolation) in
            switch name {
            case "name": function.name = try reader.string()
            case "line": function.line = Int(exactly: try reader.number().rounded()) ?? 0
            case "count":
                if try reader.takeAbsent("a number") { return }
                function.count = Int(exactly: try reader.number().rounded()) ?? 0
            default: try reader.skip()
            }
        }
        return function
    }
}

/// What was put into the lines of a file, to find a place of the file again from one in the changed text.
struct InsertedColumns: Hashable {
    private struct Piece: Hashable {
        /// From 0, in the file as it was.
        var column: Int
        var length: Int
    }

    private var pieces: [Int: [Piece]] = [:]

    /// Notes a piece; those of a line come from left to right.
    mutating func add(line: Int, column: Int, length: Int) {
        pieces[line, default: []].append(Piece(column: column, length: length))
    }

    /// The column, from 1, that stands at a column of the changed line; inside a piece, the one it was put before.
    func original(column: Int, line: Int) -> Int {
        var shift = 0
        for piece in pieces[line] ?? [] {
            let start = piece.column + shift
            guard column - 1 >= start else { break }
            guard column - 1 >= start + piece.length else { return piece.column + 1 }
            shift += piece.length
        }
        return column - shift
    }
}
