import Testing

@testable import Downloads

@Suite struct PartStateTests {
    static func state(total: Int = 700_000) -> PartState {
        var blocks = BlockMap(total: total)
        blocks.insert(bytes: 0..<200_000)
        return PartState(
            url: "https://a.example/b", validator: RangeValidator(text: "\"v\"", isTag: true), blocks: blocks)
    }

    private func file(_ state: PartState, fill: UInt8 = 7) -> [UInt8] {
        [UInt8](repeating: fill, count: state.blocks.total) + state.encoded
    }

    @Test func stateIsReadAsItWasWritten() throws {
        let bytes = file(Self.state())
        #expect(try PartState(atEndOf: MemoryContent(bytes), length: bytes.count) == Self.state())
    }

    @Test func stateAlwaysHasTheSameLength() {
        var full = Self.state()
        full.blocks.insert(bytes: 0..<700_000)
        #expect(full.encoded.count == Self.state().encoded.count)
    }

    @Test func damagedStateIsNone() throws {
        let whole = file(Self.state())
        for place in stride(from: 700_000, to: whole.count, by: 3) {
            var bytes = whole
            bytes[place] ^= 1
            #expect(try PartState(atEndOf: MemoryContent(bytes), length: bytes.count) == nil)
        }
        for length in [0, 1, 23, 24, 25, 700_000, whole.count - 1] {
            #expect(try PartState(atEndOf: MemoryContent(Array(whole.prefix(length))), length: length) == nil)
        }
    }

    @Test func blocksThatNeverReachedTheDiskAreFetchedAgain() throws {
        var bytes = file(Self.state())
        for place in 70_000..<80_000 { bytes[place] = 0 }
        var state = Self.state()
        try state.dropLostBlocks(of: MemoryContent(bytes))
        #expect(state.blocks.presentBytes == 196_608)
        state.bootID = "another"
        try state.dropLostBlocks(of: MemoryContent(bytes))
        #expect(state.blocks.firstGap == 65_536..<131_072)
    }
}

@Suite struct BlockMapTests {
    @Test(arguments: [1, 700, 65_536, 100_000, 400_000])
    func blocksOfAStretchAreNotedAsItGrows(_ step: Int) {
        var (once, growing) = (BlockMap(total: 1_000_000), BlockMap(total: 1_000_000))
        once.insert(bytes: 70_000..<900_000)
        var end = 70_000
        while end < 900_000 {
            let count = min(step, 900_000 - end)
            end += count
            growing.insert(bytes: 70_000..<end, adding: count)
        }
        #expect(growing == once)
    }

    @Test func onlyWholeBlocksCount() {
        var blocks = BlockMap(total: 200_000)
        #expect(blocks.firstGap == 0..<200_000)
        blocks.insert(bytes: 0..<65_535)
        #expect(blocks.presentBytes == 0)
        blocks.insert(bytes: 0..<131_073)
        #expect(blocks.firstGap == 131_072..<200_000)
        blocks.insert(bytes: 131_072..<200_000)
        #expect(blocks.isComplete)
    }

    @Test func mapStaysSmallForLargeFiles() {
        let blocks = BlockMap(total: 1 << 40)
        #expect(blocks.bits.count <= 1_025)
        #expect(blocks.range(of: blocks.blockCount - 1).upperBound == 1 << 40)
    }

    @Test func gapEndsWhereBlocksBegin() {
        var blocks = BlockMap(total: 65_536 * 4)
        blocks.insert(2)
        #expect(blocks.firstGap == 0..<131_072)
    }
}
