import Testing

@testable import ProviderRuntime

struct StepLineTests {
    @Test func callsGoBeforeAnswersAndEachInTheirOrder() {
        var line = StepLine<String>()
        for step in ["read 1", "call 1", "read 2", "call 2"] { line.add(step, isCall: step.hasPrefix("call")) }
        #expect(line.takeNext() == "call 1")
        line.add("call 3", isCall: true)
        line.add("read 3", isCall: false)
        var rest: [String] = []
        while let step = line.takeNext() { rest.append(step) }
        #expect(rest == ["call 2", "call 3", "read 1", "read 2", "read 3"])
    }
}
