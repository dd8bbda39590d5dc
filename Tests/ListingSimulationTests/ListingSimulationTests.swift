import Foundation
import TestSupport
import Testing

@Suite("Whatever sources, users and kills do, a listing is whole")
struct ListingSimulationTests {
    /// The simulator plays 1,500 searches and 300 watches, as a release build 40,000 and 8,000.
    @Test func everyListingIsWhatTheModelSays() async throws {
        let simulator = BuiltExecutable.path(of: "listing-simulator")
        let output = try await withCheckedThrowingContinuation { continuation in
            // No more tasks run than there are processors, and this one only waits.
            Thread.detachNewThread { continuation.resume(with: Result { try Self.output(of: simulator) }) }
        }
        for kind in ["search", "watch"] { #expect(output.contains("\(kind): 0 of "), "\(output)") }
    }

    private static func output(of program: String) throws -> String {
        let process = try HelperProcess(program, [])
        var output: [UInt8] = []
        while true {
            let more = process.nextBytes()
            if more.isEmpty { return String(decoding: output, as: UTF8.self) }
            output += more
        }
    }
}
