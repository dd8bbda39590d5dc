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
        (.missingInstance(help: "A server."), "name one with --instance https://…; A server."),
        (.unknownProvider, "imgscript providers lists all providers"),
        (.damagedPack("@b/c"), "imgscript pack install --frozen restores its files"),
    ])
    func reasonIsPutIntoWords(_ reason: ProviderError.Reason, hint: String) {
        let error = ProviderError(.auth, provider: "a", message: "", hint: "none", reason: reason)
        #expect(ErrorHint.hint(for: error) == hint)
    }

    @Test func otherHintsStayAsTheyAre() {
        #expect(ErrorHint.hint(for: ProviderError(.script, provider: "a", message: "", hint: "look")) == "look")
    }
}
