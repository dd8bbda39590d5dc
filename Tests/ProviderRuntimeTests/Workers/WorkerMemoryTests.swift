import Glibc
import Testing

/// The kernel's word is that large pages may lie there: whether it had any to give is its own business.
@Suite(
    "A worker's memory",
    .enabled(if: access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) == 0, "the system has no large pages"))
struct WorkerMemoryTests {
    @Test func heapBeginsWithALargePage() throws {
        let flags = try flags { $0.last == "[heap]" }
        #expect(flags.contains("hg"), "\(flags)")
    }

    @Test(arguments: ["/imgscript-worker", "/libjavascriptcoregtk-"])
    func codeIsReadInLargePages(file: String) throws {
        let flags = try flags { $0[1].contains("x") && $0.last?.contains(file) == true }
        #expect(flags.contains("hg"), "\(flags)")
    }

    /// What holds for those mappings of a worker whose first lines are chosen.
    private func flags(where isChosen: ([Substring]) -> Bool) throws -> [Substring] {
        let worker = try ReadyWorker()
        defer { worker.end() }
        var isInside = false
        var flags: [Substring] = []
        for line in worker.file("smaps").split(separator: "\n") {
            // A mapping begins with its addresses, and ends with two letters for each thing that holds for it.
            let words = line.split(separator: " ")
            if words[0].contains("-") { isInside = isChosen(words) }
            if isInside, words[0] == "VmFlags:" { flags += words.dropFirst() }
        }
        return flags
    }
}
