import Testing

@testable import ProviderRuntime

@Suite("A reply is looked out for only where that pays")
struct LookoutTests {
    @Test func promptRepliesKeepItLookingOut() {
        var lookout = Lookout()
        #expect(times(20, of: &lookout, taking: Lookout.length - .microseconds(1)) == Array(repeating: true, count: 20))
    }

    @Test func oneInVainIsFollowedBySevenThatAreSleptThrough() {
        var lookout = Lookout()
        let cycle = [true] + Array(repeating: false, count: 7)
        #expect(times(16, of: &lookout, taking: Lookout.length) == cycle + cycle)
    }

    private func times(_ count: Int, of lookout: inout Lookout, taking duration: Duration) -> [Bool] {
        (0..<count).map { _ in
            let isWorthwhile = lookout.isWorthwhile()
            if isWorthwhile { lookout.note(duration) }
            return isWorthwhile
        }
    }
}
