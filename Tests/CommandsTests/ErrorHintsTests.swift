import HTTPTransport
import Packs
import ProviderModel
import ProviderTesting
import Testing

@testable import Commands

@Suite("An error's hint names the command that helps") struct ErrorHintsTests {
    @Test(arguments: [
        (
            Hint.storeKey(provider: "a", server: nil, variables: ["IMGSCRIPT_A_KEY"]),
            "imgscript auth set a stores a key (or set IMGSCRIPT_A_KEY); --sample needs none"
        ),
        (
            .storeKey(provider: "a", server: "https://b.example", variables: ["V", "W"]),
            "imgscript auth set a --instance https://b.example stores a key (or set V, W); --sample needs none"
        ),
        (.several([.nameInstance, "A server."]), "--instance https://… selects one; A server."),
        (.listProviders, "imgscript providers lists all providers"),
        (.record(.missing, file: "a.js"), "imgscript test --record --mode new a.js records what is missing"),
        ("look", "look"),
    ])
    func hintIsPutIntoWords(_ hint: Hint, text: String) {
        #expect(ErrorHint.text(for: ProviderError(.auth, provider: "a", message: "", hint: hint)) == text)
        #expect(ErrorHint.text(for: TransportError(.tls, message: "", hint: hint)) == text)
        #expect(ErrorHint.text(for: PackError(.key, "", hint: hint)) == text)
    }

    @Test func hintOfTheCauseIsPrinted() {
        let cause = TransportError(.tooLarge, message: "", hint: .raiseBodyLimit)
        #expect(ErrorHint.text(for: PackError(.registry, "", cause: cause)) == "--max-body raises the limit")
    }

    @Test func refusedKeyHasTheCommandThatStoresAnother() {
        let error = ProviderError(.auth, provider: "a", message: "")
        #expect(ErrorHint.text(for: error) == "imgscript auth set a stores a key")
    }

    @Test func reportHasTheCommands() {
        let problem = TestReport.Problem("old", hint: .record(.all, file: nil))
        let suite = TestReport.Suite(
            "a", provider: "a", folder: "", cases: [TestReport.Case("b", .failed, problems: [problem])])
        #expect(
            suite.inCommandWords.cases[0].problems[0].hint
                == "imgscript test --record --mode all records everything again")
    }

    @Test(arguments: [
        Hint.several(["look", .goOnline, .omitSamples, .omitInstance, .nameInstance]), .installWorker, .writeSnapshots,
        .record(.first, file: nil), .nameKey, .searchRegistry, .allowHost("a:1"),
    ])
    func hintAloneNamesNoOption(_ hint: Hint) {
        #expect(!hint.description.contains("--"))
        #expect(!hint.description.isEmpty)
    }
}
