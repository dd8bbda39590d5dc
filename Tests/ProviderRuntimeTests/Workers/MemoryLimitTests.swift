import Glibc
import TestSupport
import Testing
import WorkerProtocol

@testable import ProviderRuntime

@Suite("The memory limit is a hard one", .serialized)
struct MemoryLimitTests {
    @Test(arguments: HostileScript.greedy)
    func workerNeverHoldsMuchMoreThanItsLimit(_ script: HostileScript) throws {
        let limit = 128
        let worker = try ReadyWorker(memory: limit)
        let base = ProcessMemory.residentMegabytes(of: "\(worker.id)")
        try worker.send(.load(file: "hostile.js", source: script.source, limits: WorkerLimits()))
        if script.action != nil {
            _ = try worker.receive()
            try worker.send(.call(run: 1, .search(.init(text: "x"))))
            _ = try worker.receive()
            try worker.send(.responses(run: 1, [.init(status: 200, url: .init("https://example.com/"))]))
        }
        var peak = 0
        while !worker.hasAnswered { peak = max(peak, worker.peakMegabytes) }
        #expect(peak <= limit + base + 16, "\(peak) MB, \(base) MB of which before the script")
        worker.end()
    }
}
