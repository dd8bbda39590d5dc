import Glibc
import Testing
import WorkerProtocol

/// What the kernel says of a worker's mappings.
@Suite(
    "A worker's memory",
    .enabled(if: access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) == 0, "the system has no large pages"))
struct WorkerMemoryTests {
    /// Large pages may lie there: whether the system had any to give is its own business.
    @Test func heapBeginsWithALargePage() throws {
        let heap = try lines { $0.last == "[heap]" }
        #expect(heap.contains { $0[0] == "VmFlags:" && $0.contains("hg") }, "\(heap)")
    }

    @Test func codeIsReadInLargePages() throws {
        let code = try lines { $0[1].contains("x") && $0.last?.hasSuffix("/imgscript-worker") == true }
        #expect(code.contains { $0[0] == "VmFlags:" && $0.contains("hg") }, "\(code)")
    }

    /// Each step of the heap is a system call; what is not touched of it takes no room.
    @Test func heapGrowsInLongSteps() throws {
        let worker = try ReadyWorker()
        defer { worker.end() }
        // More than the heap begins with.
        let source = HostileScript.file(search: "null") + "\nconst kept = 'x'.repeat(3e6) + require;"
        try worker.send(.load(file: "hostile.js", source: source, limits: WorkerLimits()))
        _ = try worker.receive()
        // The last piece is where it grew.
        var (size, resident) = (0, 0)
        for line in lines(of: worker, where: { $0.last == "[heap]" }) {
            if line[0] == "Size:" { size = Int(line[1]) ?? 0 }
            if line[0] == "Rss:" { resident = Int(line[1]) ?? 0 }
        }
        #expect(size - resident > 1_024, "\(size - resident) kB")
    }

    /// Of a worker that has just begun.
    private func lines(where isChosen: ([Substring]) -> Bool) throws -> [[Substring]] {
        let worker = try ReadyWorker()
        defer { worker.end() }
        return lines(of: worker, where: isChosen)
    }

    /// The words of the lines on those mappings whose first lines are chosen.
    private func lines(of worker: ReadyWorker, where isChosen: ([Substring]) -> Bool) -> [[Substring]] {
        var isInside = false
        var lines: [[Substring]] = []
        for line in worker.file("smaps").split(separator: "\n") {
            // A mapping begins with its addresses, and ends with two letters for each thing that holds for it.
            let words = line.split(separator: " ")
            if words[0].contains("-") { isInside = isChosen(words) }
            if isInside { lines.append(words) }
        }
        return lines
    }
}
