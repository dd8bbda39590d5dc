import Foundation
import TestSupport
import Testing

/// What a program names of a library comes with it, and in a static one with all that this leads to.
@Suite("A worker brings along what it needs only")
struct WorkerContentsTests {
    @Test(
        "Thousands of pointers, moved at every start, belong to what a worker has no use for",
        arguments: [
            ("the runtime of tasks", "swift_task_switch"), ("its clock", "$ss15ContinuousClockV"),
            ("regular expressions", "17_StringProcessing"),
        ])
    func workerNamesNothingOf(library: String, symbol: String) throws {
        let program = try Data(contentsOf: URL(fileURLWithPath: BuiltWorker.path), options: .mappedIfSafe)
        #expect(program.range(of: Data(symbol.utf8)) == nil, "the worker has \(library) in it")
        #expect(program.range(of: Data("JSEvaluateScript".utf8)) != nil, "no symbols are found")
    }
}
