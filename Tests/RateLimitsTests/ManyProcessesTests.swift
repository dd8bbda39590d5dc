import Foundation
import LocalDatabase
import TestSupport
import Testing

@testable import RateLimits

@Suite struct ManyProcessesTests {
    private func run(_ line: String) async throws -> Bool {
        try await HelperProcess.runOnThread("/bin/sh", ["-c", line])
    }

    /// When requests were sent, in order.
    private func moments(in file: String) throws -> [Timestamp] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
            Timestamp(milliseconds: try #require(Int64($0)))
        }.sorted()
    }

    /// The times from which they might be sent, in order: what the rate is held by, however late a busy machine is.
    private func slots(in folder: TemporaryFolder) throws -> [Timestamp] {
        let database = try LocalDatabase(path: folder.path + "/limits.sqlite", schema: SQLiteRateLimitStore.schema)
        return try database.read { database in
            let keys = try String.fetchAll(database, sql: "SELECT key FROM bucket")
            return try keys.flatMap {
                try SQLiteRateLimitStore.window(of: BucketKey(text: $0), in: database)?.slots ?? []
            }
            .map(\.time)
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
        let slots = try slots(in: folder)
        #expect(sent.count == 60 && slots.count == 60)
        #expect(mostWithin(.seconds(1), of: slots) <= 20)
        #expect(zip(sent, slots).allSatisfy { $0 >= $1 }, "nobody goes before its slot")
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
        #expect(try (7...18).contains(moments(in: file).count))
        #expect(mostWithin(.seconds(1), of: try slots(in: folder)) <= 5)
    }
}
