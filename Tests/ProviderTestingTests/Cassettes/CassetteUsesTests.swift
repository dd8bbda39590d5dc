import HTTPTransport
import ProviderModel
import ProviderRuntime
import ProviderTestSupport
import ProviderTesting
import Testing

@Suite("Recorded answers that nothing asks for")
struct CassetteUsesTests {
    @Test func theyAreNamed() async throws {
        let recorded = MadeProvider.cassette(
            "search", ["1", "2"].map { MadeProvider.entry("/search?q=coffee&page=\($0)", "{}") })
        let library = CassetteLibrary([recorded])
        let uses = CassetteUses(of: library)
        let transport = ReplayTransport(library, onUse: uses.note)
        _ = try await transport.send(request("https://api.made.example/search?q=coffee&page=2"))
        #expect(
            uses.warning?.problems.map(\.message) == [
                "search.json entries[0]: no test uses GET https://api.made.example/search?q=coffee&page=1"
            ])
    }

    @Test func loginStepsAndFilesOfItemsAreUsed() async throws {
        let login = MadeProvider.entry("/login", #"{"token":"***"}"#)
        let file = Cassette.Entry(url: try WebURL("https://cdn.made.example/a1.jpg"), content: Array("picture".utf8))
        let made = try MadeProvider(
            changing: [
                (
                    "auth: { type: 'query', name: 'key',",
                    "auth: { type: 'header', fields: { 'X-Key': '{key}', 'X-Session': '{session.sid}' },"
                ),
                (
                    "search: {",
                    """
                    session: {
                      request: () => ({ url: '/login' }),
                      parse: (res) => ({ values: { sid: res.json.token } }),
                    },
                    search: {
                    """
                ),
            ], cassettes: MadeProvider.cassettes + [MadeProvider.cassette("login", [login, file])])
        let uses = CassetteUses()
        var settings = MadeProvider.settings
        settings.uses = uses
        let suite = await ProviderConformance.suite(of: made.file, settings)
        let check = suite.cases.first { $0.name == "the recorded login is read" }
        #expect(check?.outcome == .passed && check?.note == "sid", "\(suite.cases)")
        #expect(uses.warning == nil, "\(uses.warning?.problems ?? [])")
    }

    /// Each warning was compared with all before it, which took 20 s here.
    @Test func unusedEntriesOfALargeCassetteAreReportedAtOnce() {
        let entries = (0..<20_000).map { MadeProvider.entry("/search?q=word\($0)", "{}") }
        let uses = CassetteUses(of: CassetteLibrary([MadeProvider.cassette("search", entries)]))
        var problems: [TestReport.Problem] = []
        #expect(ContinuousClock().measure { problems = uses.warning?.problems ?? [] } < .seconds(4))
        #expect(problems.last?.message == "and 19994 more")
    }
}
