import Foundation
import Synchronization
import TestSupport
import Testing

/// A listing that is stopped, and goes on as if it had not been.
@Suite(.timeLimit(.minutes(2)))
final class ResumedSearchTests {
    private let home = TemporaryFolder()
    /// What was printed, without what came a second time.
    private var lines: [String] = []

    /// Forty items on pages of the size asked for; a page with a gate opens it, and is not answered the first time.
    private func source(holding gates: [Int: Gate] = [:]) throws -> LoopbackSource {
        let gates = Mutex(gates)
        let source = try LoopbackSource { request in
            let fields = URLComponents(string: request.target)?.queryItems ?? []
            func number(_ name: String) -> Int { fields.first { $0.name == name }.flatMap { Int($0.value ?? "") } ?? 0 }
            let (page, size) = (number("page"), number("size"))
            if let gate = gates.withLock({ $0.removeValue(forKey: page) }) {
                gate.open()
                return .stalling()
            }
            let first = (page - 1) * size + 1
            guard first <= 40 else { return .answer(text: #"{"total": 40, "items": []}"#) }
            return .answer(
                headers: [("Cache-Control", "no-store")],
                text: LoopbackSource.page(first...min(40, first + size - 1), total: 40))
        }
        let script = LoopbackSource.provider("loop", port: source.server.port)
        try source.add("loop", script.replacing("page: q.page", with: "page: q.page, size: q.limit"))
        return source
    }

    private func arguments(_ limit: Int, _ pageSize: Int, _ inFlight: Int, _ source: LoopbackSource) -> [String] {
        [
            "search", "-p", "loop", "-n", "\(limit)", "--page-size", "\(pageSize)", "--pages-in-flight", "\(inFlight)",
            "-f", "{index} {id}", "--resume", "fox",
        ] + source.arguments
    }

    /// Takes the lines of a run: at most a page of them came before, and then it was said.
    private func take(_ new: [String], of run: String, pageSize: Int) {
        let repeated = new.filter(lines.contains)
        #expect(repeated.count <= pageSize, "\(new) after \(lines)")
        let isSaid = run.contains("may be printed twice") || run.contains("no resume point found; starting from the")
        #expect(repeated.isEmpty || isSaid, "\(repeated) came twice: \(run)")
        lines += new.filter { !lines.contains($0) }
    }

    /// Killed after so many lines of each run in turn; the last run comes to its end.
    @Test(arguments: [(6, 1, 1), (6, 1, 4), (13, 5, 1), (40, 5, 4), (17, 4, 2)])
    func killedAfterAnyLineGivesTheLinesOfOneRun(limit: Int, pageSize: Int, inFlight: Int) throws {
        let source = try source()
        for stop in [2, 1, 3, 4, 1, 7, .max] {
            let command = try RunningCommand(arguments(limit, pageSize, inFlight, source), home: home)
            var new: [String] = []
            while new.count < stop, let line = command.nextLine() { new.append(line) }
            kill(command.process.processIdentifier, SIGKILL)
            // What it had written by then counts, too.
            while let line = command.nextLine() { new.append(line) }
            _ = command.status()
            take(new, of: command.errors, pageSize: pageSize)
        }
        #expect(lines == (1...limit).map { "\($0) \($0)" })
    }

    /// Stopped while it waits for a page, when it has just noted the page before, or is about to.
    @Test(arguments: [1, 3], [SIGINT, SIGKILL])
    func stoppedWhileItWaitsGivesTheLinesOfOneRun(pageSize: Int, signal: Int32) async throws {
        let gates = [2: Gate(), 3: Gate()]
        let source = try source(holding: gates)
        let arguments = arguments(6 * pageSize, pageSize, 1, source)
        for page in [2, 3] {
            let command = try RunningCommand(arguments, home: home)
            await gates[page]?.opened()
            kill(command.process.processIdentifier, signal)
            var new: [String] = []
            while let line = command.nextLine() { new.append(line) }
            #expect(command.status() != 0)
            take(new, of: command.errors, pageSize: pageSize)
        }
        #expect(lines.count == 2 * pageSize)
        let last = try CommandRun(arguments, environment: ["HOME": home.path])
        #expect(last.status == 0)
        take(last.output.split(separator: "\n").map(String.init), of: last.errors, pageSize: pageSize)
        #expect(lines == (1...6 * pageSize).map { "\($0) \($0)" })
        let again = try CommandRun(arguments, environment: ["HOME": home.path])
        #expect(again.output == "" && again.status == 0)
        #expect(again.errors.contains("loop: limit reached (\(6 * pageSize) images already delivered)"))
    }

    @Test func headerOfATableIsPrintedOnce() throws {
        let source = try source()
        let one = ["search", "-p", "loop", "--page-size", "5", "-f", "csv", "fox"] + source.arguments
        let environment = ["HOME": home.path]
        let first = try CommandRun(one + ["-n", "7", "--resume"], environment: environment)
        let second = try CommandRun(one + ["-n", "12", "--resume"], environment: environment)
        #expect(try first.output + second.output == CommandRun(one + ["-n", "12"]).output)
    }
}
