import ProviderModel
import Testing

struct SemanticVersionTests {
    @Test func orderIsThatOfTheStandard() throws {
        // Semver 2.0.0 §11.
        let texts = [
            "0.9.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
            "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0",
        ]
        let versions = try texts.map { try #require(SemanticVersion($0)) }
        #expect(versions.reversed().sorted() == versions)
        #expect(versions.map(\.description) == texts)
    }

    @Test func buildIsKeptAndMakesNoDifference() throws {
        let version = try #require(SemanticVersion("1.0.0-a+b.001"))
        #expect(version == SemanticVersion("1.0.0-a+other"))
        #expect(version.description == "1.0.0-a+b.001")
        #expect(version.isPrerelease)
    }

    @Test(arguments: [
        "", "1", "1.2", "1.2.3.4", "v1.2.3", "=1.2.3", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3-a..b", "1.2.3+", "1.2.x",
        " 1.2.3", "1.2.3 ", "-1.2.3", "9007199254740992.0.0", "99999999999999999999.0.0", "1.2.3-ä", "1.2.3\n",
        "1.0.0-" + String(repeating: "a", count: 260),
    ])
    func isNoVersion(text: String) { #expect(SemanticVersion(text) == nil) }
}
