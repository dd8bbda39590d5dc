import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import ProviderRuntime

@Suite("Providers are found in folders, the nearest first")
struct ProviderDirectoryTests {
    private let near = TemporaryFolder()
    private let far = TemporaryFolder()
    private var directory: ProviderDirectory { ProviderDirectory(folders: [near.path, "/nonexistent", far.path]) }

    private func put(_ names: String..., in folder: TemporaryFolder) throws {
        for name in names { try "".write(toFile: "\(folder.path)/\(name)", atomically: true, encoding: .utf8) }
    }

    @Test func nearestFileIsUsedAndTheOthersAreListedAsHidden() throws {
        try put("both.js", "near.js", in: near)
        try put("both.js", "far.js", in: far)
        let entries = directory.entries()
        #expect(entries.map(\.file.path) == ["\(near.path)/both.js", "\(far.path)/far.js", "\(near.path)/near.js"])
        #expect(entries.map { $0.shadowed.map(\.path) } == [["\(far.path)/both.js"], [], []])
        #expect(try directory.entry(named: "both") == entries[0])
        #expect(try directory.entry(named: "far") == entries[1])
    }

    @Test func folderOfTwoNamesHidesNothingOfItself() throws {
        try put("good.js", in: near)
        let other = far.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: near.path)
        let directory = ProviderDirectory(folders: [other, near.path])
        #expect(directory.entries().map(\.shadowed) == [[]])
        #expect(try directory.entry(named: "good").shadowed.isEmpty)
    }

    @Test func filesThatAreNoProvidersAreLeftOut() throws {
        try put(
            "good.js", "good.test.js", "booru-theme.js", "Upper.js", "under_score.js", "-dash.js", ".js",
            ".hidden.js",
            "notes.md", "good.json", "good.js.bak", in: near)
        try FileManager.default.createDirectory(atPath: near.path + "/folder.js", withIntermediateDirectories: false)
        #expect(directory.entries().map(\.file.id.description) == ["good"])
        #expect(directory.misnamed() == ["-dash.js", "Upper.js", "under_score.js"].map { "\(near.path)/\($0)" })
    }

    @Test func fileWhoseNameIsNoIdIsReportedByItsName() throws {
        try put("Upper.js", "upper-case.js", in: near)
        let error = #expect(throws: ProviderError.self) { try directory.entry(named: "Upper") }
        #expect(
            error?.message
                == "unknown provider \"Upper\": \(near.path)/Upper.js is not used "
                + "(a provider's file is named after its id: a–z, 0–9 and -)")
    }

    @Test(arguments: [
        ("fli", "; did you mean \"flickr\"?"), ("flikr", "; did you mean \"flickr\"?"), ("nothing", ""), ("", ""),
        ("../near", ""), ("FLICKR", "; did you mean \"flickr\"?"), ("All", "; did you mean \"all\"?"),
        ("flickr,unsplash", " (expected one name)"),
    ])
    func unknownNameIsAnErrorWithASuggestion(_ name: String, correction: String) throws {
        try put("flickr.js", "unsplash.js", in: near)
        let error = #expect(throws: ProviderError.self) { try directory.entry(named: name) }
        #expect(error?.code == .provider)
        #expect(error?.message == "unknown provider \"\(name)\"\(correction)")
    }

    @Test func emptyFoldersAreNamed() throws {
        let error = #expect(throws: ProviderError.self) { try directory.entry(named: "x") }
        #expect(
            error?.message
                == "no providers found in \(near.path), /nonexistent, \(far.path)")
    }
}
