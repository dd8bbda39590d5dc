import Foundation
import TestSupport
import Testing

/// What is seen of a run while it goes on, and how it ends early.
struct StreamingTests {
    @Test func theFirstLineIsOutBeforeTheSecondPageIsAnswered() throws {
        let gate = Gate()
        let source = try LoopbackSource { request in
            let first = LoopbackReply.answer(text: LoopbackSource.page(1...5, total: 10))
            let second = LoopbackReply.answer(text: LoopbackSource.page(6...10, total: 10))
            return request.target.hasSuffix("page=1") ? first : LoopbackReply([.wait(gate)] + second.steps)
        }
        let command = try RunningCommand(["search", "-p", "loop", "-f", "jsonl", "-n", "10", "x"] + source.arguments)
        let first = command.nextLine()
        gate.open()
        #expect(first?.contains(#""id":"1""#) == true)
        var count = 1
        while command.nextLine() != nil { count += 1 }
        #expect(count == 10)
        #expect(command.status() == 0)
    }

    @Test func aReaderThatLeavesEndsTheRunQuietly() throws {
        let source = try LoopbackSource { request in
            let page = Int(request.target.split(separator: "page=").last ?? "") ?? 0
            return .answer(text: LoopbackSource.page((page * 5 - 4)...(page * 5), total: 100_000))
        }
        let command = try RunningCommand(
            ["search", "-p", "loop", "-f", "jsonl", "-n", "100000", "x"] + source.arguments)
        #expect(command.nextLine() != nil)
        try command.stopReading()
        #expect(command.status() == 0)
    }

    @Test func interruptEndsTheRunAndItsWorkers() async throws {
        let (source, command) = try await searchUnderWay()
        let workers = command.children
        #expect(!workers.isEmpty)
        command.process.interrupt()
        #expect(command.status() == 130)
        for worker in workers { #expect(hasEnded(worker), "worker \(worker) goes on") }
        withExtendedLifetime(source) {}
    }

    /// A search whose request has come to a source that never answers.
    private func searchUnderWay() async throws -> (LoopbackSource, RunningCommand) {
        let asked = Gate()
        let source = try LoopbackSource { _ in
            asked.open()
            return .stalling()
        }
        let command = try RunningCommand(["search", "-p", "loop", "x"] + source.arguments)
        await asked.opened()
        return (source, command)
    }

    /// Whether a process is gone, or goes soon.
    private func hasEnded(_ process: String) -> Bool {
        comesTrue {
            let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            return state == nil || state?.contains(") Z ") == true
        }
    }

    /// Whether a condition comes true within the time a loaded machine needs for it.
    private func comesTrue(_ condition: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
            if condition() { return true }
            sched_yield()
        }
        return false
    }
}
