import Foundation
import Testing

@testable import Gallery

@Suite("The page is in the program")
struct PageFilesTests {
    private var folder: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/Gallery/Page")
    }

    @Test func everyFileOfThePageIsServedAsItIs() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !$0.hasSuffix(".d.ts") }.sorted()
        #expect(names.contains("index.html"))
        #expect(PageFiles.embedded.keys.sorted() == names)
        for name in names {
            let bytes = try Array(Data(contentsOf: folder.appending(path: name)))
            #expect(PageFiles.embedded[name] == bytes, "\(name)")
        }
    }
}
