import Glibc
import Testing

@Suite("A worker's heap")
struct WorkerHeapTests {
    /// The kernel's word is that a large page may lie there: whether it had one to give is its own business.
    @Test(.enabled(if: access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) == 0, "the system has none"))
    func heapBeginsWithALargePage() throws {
        let worker = try ReadyWorker()
        defer { worker.end() }
        var isHeap = false
        var flags: [Substring] = []
        for line in worker.file("smaps").split(separator: "\n") {
            // A mapping begins with its addresses, and ends with two letters for each thing that holds for it.
            let words = line.split(separator: " ")
            if words[0].contains("-") { isHeap = words.last == "[heap]" }
            if isHeap, words[0] == "VmFlags:" { flags += words.dropFirst() }
        }
        #expect(flags.contains("hg"), "\(flags)")
    }
}
