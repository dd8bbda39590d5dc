import Dispatch
import Foundation
import TestSupport
import Testing

@testable import RateLimits

@Suite struct ManyProcessesTests {
    /// The rates' window; less of it where a busy machine may stop a process between its slot and its request.
    private let span: Duration = getenv("IMGSCRIPT_STRICT_TIMES") != nil ? .seconds(1) : .milliseconds(700)

    /// Runs a line of the shell without keeping a thread of Swift's pool.
    private func run(_ line: String) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try HelperProcess.run("/bin/sh", ["-c", line]) })
            }
        }
    }

    private func moments(in file: String) throws -> [Moment] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
            Moment(milliseconds: try #require(Int64($0)))
        }
    }

    @Test func tenProcessesStayWithinTheRateTogether() async throws {
        let folder = TemporaryFolder()
        let file = folder.path + "/sent"
        let probe = BuiltExecutable.path(of: "rate-probe")
        let one = "'\(probe)' '\(folder.path)/limits.sqlite' 20/1s 6 '\(file)'"
        let start = "for n in 1 2 3 4 5 6 7 8 9 10; do \(one) & all=\"$all $!\"; done"
        let ok = try await run("\(start); for id in $all; do wait $id || exit 1; done")
        #expect(ok)
        let sent = try moments(in: file)
        #expect(sent.count == 60)
        #expect(mostWithin(span, of: sent) <= 20)
    }

    @Test func othersGoOnAfterKilledProcesses() async throws {
        let folder = TemporaryFolder()
        let file = folder.path + "/sent"
        let probe = BuiltExecutable.path(of: "rate-probe")
        let one = "'\(probe)' '\(folder.path)/limits.sqlite' 5/1s 6 '\(file)'"
        let start = "\(one) & first=$!; \(one) & second=$!"
        // Killed with some of their requests sent and others waiting.
        let ok = try await run("\(start); while [ ! -s '\(file)' ]; do :; done; kill -9 $first $second; wait; \(one)")
        #expect(ok)
        let sent = try moments(in: file)
        #expect((7...17).contains(sent.count))
        #expect(mostWithin(span, of: sent) <= 5)
    }
}
