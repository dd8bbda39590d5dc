import ProviderModel
import Testing

@testable import Packs

struct RegistrySettingsTests {
    private func settings(_ text: String, _ environment: [String: String] = [:], registry: String? = nil) throws
        -> RegistrySettings
    {
        try RegistrySettings(NPMConfiguration(text: text, environment: environment), registry: registry)
    }

    @Test func scopeHasItsOwnRegistryAndTheOptionComesFirst() throws {
        let text = """
            ; a comment
            registry = https://npm.example/all
            @anna:registry="https://anna.example/npm/"
            """
        let settings = try settings(text)
        #expect(try settings.registry(of: PackName("boards")).description == "https://npm.example/all/")
        #expect(try settings.registry(of: PackName("@anna/boards")).description == "https://anna.example/npm/")
        #expect(try settings.registry(of: PackName("@berta/boards")).description == "https://npm.example/all/")
        let chosen = try self.settings(text, registry: "https://other.example")
        #expect(try chosen.registry(of: PackName("@anna/boards")).description == "https://other.example/")
        #expect(try self.settings("").defaultRegistry.description == RegistrySettings.default)
    }

    @Test func keyBelongsToItsPlaceAlone() throws {
        let settings = try settings(
            """
            //npm.example/:_authToken=${TOKEN}
            //npm.example/private/:_authToken=other
            //basic.example/:_auth=YTpi
            """, ["TOKEN": "t0ken"])
        func key(_ text: String) throws -> String? { settings.authorization(for: try WebURL(text)) }
        #expect(try key("https://npm.example/@anna%2fboards") == "Bearer t0ken")
        #expect(try key("https://npm.example/private/x/-/x-1.0.0.tgz") == "Bearer other")
        #expect(try key("https://basic.example/x") == "Basic YTpi")
        for other in ["https://npm.example:8443/x", "https://cdn.npm.example/x", "https://npm.example.evil.example/x"] {
            #expect(try key(other) == nil)
        }
    }

    @Test func variableThatIsNotSetIsSaidAndNothingIsSentForIt() throws {
        let configuration = NPMConfiguration(
            text: "//npm.example/:_authToken=${TOKEN}\n//other.example/:_authToken=${TOKEN?}\n", environment: [:])
        #expect(configuration.remarks.count == 1)
        #expect(configuration.remarks[0].contains("${TOKEN}, which is not set"))
        #expect(configuration["//npm.example/:_authToken"] == nil)
        #expect(configuration["//other.example/:_authToken"] == "")
    }
}
