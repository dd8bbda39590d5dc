import ProviderModel
import Testing

@testable import Commands

@Suite("An error's hint names the command that helps") struct ErrorHintsTests {
    @Test(arguments: [
        ("FLICKR", "did you mean “flickr”?"), ("All", "did you mean “all”?"), ("flikr", "did you mean “flickr”?"),
        ("flickr,unsplash", "one name at a time; --provider may be given several times"),
        ("nothing", "imgscript providers lists all"),
    ])
    func unknownProvider(_ name: String, hint: String) {
        let error = ProviderError(
            .provider, provider: name, message: "", reason: .unknownProvider(known: ["flickr", "unsplash"]))
        #expect(error.commandHint == hint)
    }

    @Test(arguments: [
        (
            ProviderError.Reason.missingKey(server: nil, variables: ["IMGSCRIPT_A_KEY"]),
            "imgscript auth set a stores it (or set IMGSCRIPT_A_KEY); --sample shows sample results without one"
        ),
        (
            .missingKey(server: "https://b.example", variables: ["V", "W"]),
            "imgscript auth set a --instance https://b.example stores it (or set V, W); "
                + "--sample shows sample results without one"
        ),
        (.missingInstance(help: "A server."), "name one with --instance https://…; A server."),
        (.damagedPack("@b/c"), "imgscript pack install --frozen puts its files right"),
    ])
    func reason(_ reason: ProviderError.Reason, hint: String) {
        #expect(ProviderError(.auth, provider: "a", message: "", hint: "none", reason: reason).commandHint == hint)
    }

    @Test func otherHintsStayAsTheyAre() {
        #expect(ProviderError(.script, provider: "a", message: "", hint: "look").commandHint == "look")
    }
}
