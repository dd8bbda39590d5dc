import Testing

@testable import ProviderModel

@Suite("Programs of the system run within limits")
struct ChildProgramTests {
    private static let environment = ["PATH=/usr/bin:/bin"]

    private func run(
        _ words: [String], input: [UInt8] = [], limits: ChildProgram.Limits = .init(), seconds: Double = 30
    ) -> ChildProgram.Result {
        ChildProgram.run(
            words, environment: Self.environment, input: input, limits: limits, until: .now + .seconds(seconds))
    }

    private func output(_ words: [String], input: [UInt8] = [], limits: ChildProgram.Limits = .init()) -> String? {
        if case .output(let text) = run(words, input: input, limits: limits) { text } else { nil }
    }

    @Test func inputIsReadFromItsBeginningToItsEnd() throws {
        // More than a pipe holds: nobody waits for the other.
        let input = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
        var limits = ChildProgram.Limits()
        limits.output = 4 << 20
        #expect(output(["cat"], input: input, limits: limits)?.utf8.count == input.count)
        let cut = try #require(output(["cat"], input: input)).utf8.count
        #expect(cut < input.count && cut >= 1 << 20, "the rest is dropped")
        #expect(output(["cat"]) == "")
    }

    @Test func memoryIsLimited() {
        var limits = ChildProgram.Limits()
        limits.memory = 1 << 30
        // The limit is set when the program has started.
        let script = #"while [ "$(ulimit -v)" = unlimited ]; do :; done; ulimit -v"#
        #expect(output(["sh", "-c", script], limits: limits) == "1048576\n")
    }

    @Test func whatTakesTooLongIsEnded() {
        let result = run(["tail", "-f", "/dev/null"], seconds: 0.1)
        #expect({ if case .timedOut = result { true } else { false } }())
    }

    @Test func programIsFoundOnThePath() {
        #expect(ChildProgram.path(of: "sh", in: Self.environment)?.hasSuffix("bin/sh") == true)
        #expect(ChildProgram.path(of: "sh", in: ["PATH=/nowhere"]) == nil)
    }
}
