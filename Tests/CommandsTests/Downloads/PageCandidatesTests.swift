import Foundation
import ProviderModel
import ProviderRuntime
import TestSupport
import Testing

@testable import ImgScript

@Suite("A page is shown to the providers that name its domain")
struct PageCandidatesTests {
    private let folder = TemporaryFolder()

    private func names(
        for url: String, instance: String? = nil, instances: [String: String] = [:]
    ) throws -> [String] {
        let files = [
            "foxes": "match: ['https://www.Fox.example/{id}'], hosts: ['api.fox.example', '192.0.2.7']",
            "owls": "// see owl.example. It has res.json, and 10.5 owls: https://pics.owl.example:8443/a.b",
            "servers": "match: ['{instance}/posts/{id}']",
        ]
        for (name, text) in files {
            try text.write(toFile: "\(folder.path)/\(name).js", atomically: true, encoding: .utf8)
        }
        let entries = ProviderDirectory(folders: [folder.path]).entries()
        let chosen = ChosenInstances(
            common: try instance.map { try WebURL($0) }, byProvider: try instances.mapValues { try WebURL($0) })
        return try PageCandidates(entries, instances: chosen).names(for: WebURL(url))
    }

    @Test(
        arguments: [
            ("https://fox.example/1", ["foxes"]), ("https://a.b.fox.example/1", ["foxes"]),
            ("http://192.0.2.7/", ["foxes"]),
            ("https://owl.example/", ["owls"]), ("https://pics.owl.example/", ["owls"]), ("https://ox.example/", []),
            ("https://example/", []), ("http://2.7/", []),
        ])
    func lastTwoLabelsDecide(_ url: String, _ expected: [String]) throws {
        #expect(try names(for: url) == expected)
    }

    @Test func serverThatIsNamedBelongsToProvidersForManyServers() throws {
        #expect(try names(for: "https://booru.test/posts/1", instance: "https://booru.test") == ["servers"])
        #expect(try names(for: "https://fox.example/1", instance: "https://fox.example") == ["foxes", "servers"])
        #expect(try names(for: "https://other.test/posts/1", instance: "https://booru.test").isEmpty)
    }

    @Test func serverOfOneProviderBelongsToItAlone() throws {
        let own = ["servers": "https://booru.test"]
        #expect(try names(for: "https://booru.test/posts/1", instances: own) == ["servers"])
        #expect(try names(for: "https://other.test/posts/1", instance: "https://other.test", instances: own).isEmpty)
        #expect(try names(for: "https://booru.test/posts/1", instances: ["foxes": "https://booru.test"]).isEmpty)
    }
}
