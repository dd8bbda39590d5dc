import Foundation
import Packs
import ProviderRuntime
import Testing

@Suite("The providers that ship are a pack")
struct CorePackTests {
    private static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/providers"

    @Test func everyProviderIsListed() throws {
        let manifest = try PackManifest.read(folder: Self.folder)
        let found = ProviderDirectory(folders: [Self.folder]).entries().map { "\($0.file.id).js" }
        #expect(manifest.name.description == "@imgscript/core")
        #expect(manifest.providers == found)
        #expect(manifest.remarks == [])
    }

    @Test func whatProvidersNeedIsPacked() throws {
        let build = try PackBuild.build(folder: Self.folder)
        let paths = Set(build.files.map(\.path))
        let needed = [
            "README.md", "LICENSE", "booru-theme.js", "itunes.test.js", "types/imgscript.d.ts",
            "cassettes/pixabay/search.json",
            "__snapshots__/itunes.test.js.snap",
        ]
        #expect(needed.filter { !paths.contains($0) } == [])
        #expect(build.leftOut == ["tsconfig.json"])
        #expect(try PackArchive(build.archive).read().providers == build.manifest.providers)
    }
}
