import ProviderModel
import Testing

@testable import Commands

@Suite("An error's hint names the command that helps") struct ErrorHintsTests {
    @Test(arguments: [
        (
            ProviderError.Reason.missingKey(server: nil, variables: ["IMGSCRIPT_A_KEY"]),
            "imgscript auth set a stores a key (or set IMGSCRIPT_A_KEY); --sample needs none"
        ),
        (
            .missingKey(server: "https://b.example", variables: ["V", "W"]),
            "imgscript auth set a --instance https://b.example stores a key (or set V, W); --sample needs none"
        ),
        (.missingInstance(help: "A server."), "--instance URL names a server: A server."),
        (.damagedPack("@b/c"), "imgscript pack install --frozen repairs its files"),
        (.unknownProvider(known: ["b"]), "imgscript providers lists all providers"),
    ])
    func reason(_ reason: ProviderError.Reason, hint: String) {
        #expect(ProviderError(.auth, provider: "a", message: "", hint: "none", reason: reason).commandHint == hint)
    }

    @Test func otherHintsStayAsTheyAre() {
        #expect(ProviderError(.script, provider: "a", message: "", hint: "look").commandHint == "look")
    }
}
