import Packs
import Testing

struct PackNameTests {
    @Test func scopedNameHasItsPartsAndItsFileName() throws {
        let name = try PackName("@imgscript/core")
        #expect(name.scope == "@imgscript")
        #expect(name.bareName == "core")
        #expect(name.description == "@imgscript/core")
        #expect(name.fileStem == "imgscript-core")
        #expect(name.registryPath == "@imgscript%2fcore")
    }

    @Test(arguments: ["dogs", "dogs-2", "d", "img.js", "a_b", "@a/b", String(repeating: "a", count: 214)])
    func isAName(text: String) throws {
        #expect(try PackName(text).description == text)
    }

    @Test(arguments: [
        "", " dogs", "dogs ", ".dogs", "_dogs", "Dogs", "do/gs", "@/dogs", "@a/", "@a", "@a/b/c", "node_modules",
        "favicon.ico", "@a/node_modules", "hünde", "dogs!", "dogs~", "..", "@../dogs", "@a/..", "dogs\u{0}", "a%2fb",
        String(repeating: "a", count: 215),
    ])
    func isNoName(text: String) {
        #expect { try PackName(text) } throws: { ($0 as? PackError)?.code == .name }
    }
}
