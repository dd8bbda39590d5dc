import Glibc
import TestSupport
import Testing

@testable import HTTPCaching

private struct ProbeFailure: Error {}

@Suite struct CrashTests {
    /// How many requests are sent; `CACHE_PROBE_REQUESTS` names another number.
    private static let requests = getenv("CACHE_PROBE_REQUESTS").flatMap { Int(String(cString: $0)) } ?? 1_500

    /// What the answers were, by the letters of `cache-probe`.
    struct Tally: Sendable {
        var letters: [Character: Int] = [:]
        var crashes = 0

        mutating func add(_ bytes: [UInt8]) {
            for letter in String(decoding: bytes, as: UTF8.self) { letters[letter, default: 0] += 1 }
        }
    }

    @Test func processesThatCrashAtAnyMomentLeaveNoWrongAnswer() async throws {
        let folder = TemporaryFolder()
        let server = try LoopbackServer(ProbedContent.reply)
        let path = folder.path + "/cache"
        async let first = Self.runAndCrash(in: path, server.origin, requests: Self.requests / 2)
        async let second = Self.runAndCrash(in: path, server.origin, requests: Self.requests / 2)
        let tallies = [try await first, try await second]
        for tally in tallies {
            #expect(tally.letters["X"] == nil && tally.letters["E"] == nil && tally.letters["W"] == nil)
            #expect(tally.crashes > 0)
        }
        let store = SQLiteCacheStorage(folder: path)
        _ = try store.prune(now: 0)
        let report = try store.verify()
        #expect(report.isClean, "\(report.repairs)")
        #expect(try store.summary().entries > 10)
        if Self.requests > 2_000 {
            let asked = server.requests.count
            print("\(tallies) \(asked) requests to the server, \(report.checked) answers stored")
        }
    }

    /// Runs `cache-probe` again and again, ending it after a random number of answers.
    private static func runAndCrash(in folder: String, _ origin: String, requests: Int) async throws -> Tally {
        var tally = Tally()
        var answers = 0
        while answers < requests {
            let rest = requests - answers
            let arguments = [folder, origin, "\(rest)", "\(4 << 20)"]
            let probe = try HelperProcess(BuiltExecutable.path(of: "cache-probe"), arguments)
            let last = Int.random(in: 20...220)
            var seen = 0
            while seen < last {
                let bytes = probe.nextBytes()
                guard !bytes.isEmpty else { break }
                tally.add(bytes)
                seen += bytes.count
            }
            answers += seen
            if seen >= last, answers < requests { tally.crashes += 1 }
            if seen == 0 { throw ProbeFailure() }
            probe.crash()
        }
        return tally
    }
}
