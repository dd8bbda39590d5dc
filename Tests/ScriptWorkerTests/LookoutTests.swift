import Testing

@testable import ScriptWorker

@Suite("A reply is looked out for only where that pays")
struct LookoutTests {
    @Test func promptRepliesKeepItLookingOut() {
        var lookout = Lookout()
        for _ in 0..<100 {
            #expect(lookout.isWorthwhile)
            lookout.note(Lookout.length - .microseconds(1))
        }
    }

    @Test func oneInVainIsFollowedByFifteenThatAreSleptThrough() {
        var lookout = Lookout()
        for _ in 0..<3 {
            #expect(lookout.isWorthwhile)
            lookout.note(Lookout.length)
            for _ in 0..<15 { #expect(!lookout.isWorthwhile) }
        }
        #expect(lookout.isWorthwhile)
    }
}
