import Testing

@testable import ScriptEngine

@Suite("The reserve of addresses is distinguished from the memory around it")
struct AddressReserveTests {
    private static let gigabyte = 1 << 30
    private static let neighbour = 40 << 20

    @Test(arguments: [0, neighbour], [0, neighbour])
    func adjacentMappingsJoinedToItAreNotPartOfIt(_ before: Int, _ after: Int) {
        let mapping = (8 * Self.gigabyte - before)..<(12 * Self.gigabyte + after)
        #expect(AddressReserve.start(in: mapping) == 8 * Self.gigabyte)
    }

    @Test(arguments: [0..<1, 1..<5, 9..<15])
    func mappingWithoutRoomForItHoldsNone(_ gigabytes: Range<Int>) {
        let mapping = (gigabytes.lowerBound * Self.gigabyte)..<(gigabytes.upperBound * Self.gigabyte)
        #expect(AddressReserve.start(in: mapping) == nil)
    }
}
