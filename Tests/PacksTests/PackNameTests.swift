import Packs
import Testing

struct PackNameTests {
    @Test func scopedNameHasItsPartsAndItsFileName() throws {
        let name = try PackName("@imgscript/core")
        #expect(name.scope == "@imgscript")
        #expect(name.bareName == "core")
        #expect(name.fileStem == "imgscript-core")
        #expect(name.registryPath == "@imgscript%2fcore")
    }
}
