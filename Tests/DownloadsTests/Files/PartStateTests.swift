import Testing

@testable import Downloads

@Suite struct PartStateTests {
    private static let content = patterned(700_000)

    /// A file of which the first three blocks have come, or more.
    private static func state(present count: Int = 200_000) throws -> PartState {
        var blocks = BlockMap(total: content.count)
        blocks.insert(bytes: 0..<count)
        var state = PartState(
            url: "https://a.example/b", validator: RangeValidator(text: "\"v\"", isTag: true), blocks: blocks)
        try state.add(blocks, of: BytesContent(content))
        return state
    }

    private func file(_ state: PartState) -> [UInt8] { Self.content + state.encoded }

    @Test func stateIsReadAsItWasWritten() throws {
        let bytes = file(try Self.state())
        #expect(try PartState(atEndOf: BytesContent(bytes), length: bytes.count) == Self.state())
    }

    @Test func stateAlwaysHasTheSameLength() throws {
        #expect(try Self.state(present: 700_000).encoded.count == Self.state(present: 0).encoded.count)
    }

    @Test func damagedStateIsNone() throws {
        let whole = file(try Self.state())
        for place in stride(from: 700_000, to: whole.count, by: 3) {
            var bytes = whole
            bytes[place] ^= 1
            #expect(try PartState(atEndOf: BytesContent(bytes), length: bytes.count) == nil)
        }
        for length in [0, 1, 23, 24, 25, 700_000, whole.count - 1] {
            #expect(try PartState(atEndOf: BytesContent(Array(whole.prefix(length))), length: length) == nil)
        }
    }

    /// As a bad disk, a power cut or another program leaves them.
    @Test(arguments: [65_536..<65_537, 131_071..<131_072, 70_000..<80_000])
    func damagedBlockIsDroppedAndNoOther(_ damage: Range<Int>) async throws {
        var bytes = file(try Self.state())
        for place in damage { bytes[place] = ~bytes[place] }
        var state = try Self.state()
        try await state.dropDamagedBlocks(of: BytesContent(bytes))
        #expect(state.blocks.firstGap == 65_536..<131_072)
        #expect(state.blocks.presentBytes == 131_072)
    }

    @Test func fileThatWasCutKeepsTheBlocksBeforeTheCut() async throws {
        var state = try Self.state()
        try await state.dropDamagedBlocks(of: BytesContent(Array(Self.content.prefix(140_000))))
        #expect(state.blocks.prefix == 131_072)
        #expect(state.blocks.presentBytes == 131_072)
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
