import FoundationEssentials
import Testing

@testable import Packs

struct PackumentTests {
    private let packument: Packument

    init() throws {
        func release(_ version: String, _ more: String = "") -> String {
            #""\#(version)": {"version": "\#(version)", "dist": {"tarball": "https://x.example/\#(version).tgz"}\#(more)}"#
        }
        let versions = [
            release("1.0.0"), release("1.1.0"), release("1.2.0", #", "deprecated": "broken""#), release("2.0.0-beta.1"),
            release("1.10.0"),
        ]
        let text = """
            {"name": "boards", "dist-tags": {"latest": "1.1.0", "beta": "2.0.0-beta.1", "gone": "9.0.0"},
            "versions": {\(versions.joined(separator: ","))}}
            """
        packument = try JSONDecoder().decode(Packument.self, from: Data(text.utf8))
    }

    @Test(arguments: [
        ("latest", "1.1.0"), ("beta", "2.0.0-beta.1"), ("^1", "1.1.0"), (">=1.2", "1.10.0"), ("1.2.x", "1.2.0"),
        ("1.0.0", "1.0.0"),
        (">=2.0.0-alpha", "2.0.0-beta.1"),
    ])
    func versionIsTheOneThatNpmWouldChoose(wanted: String, version: String) throws {
        #expect(try packument.version(for: wanted, of: PackName("boards")) == version)
    }

    @Test(arguments: ["^3", "gone", "nightly"])
    func whatFitsNothingIsAnError(wanted: String) {
        #expect(throws: PackError.self) { try packument.version(for: wanted, of: PackName("boards")) }
    }
}
