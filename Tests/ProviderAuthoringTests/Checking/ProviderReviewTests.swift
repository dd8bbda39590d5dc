import ProviderModel
import ProviderTestSupport
import Testing

@testable import ProviderAuthoring

@Suite("Checks of providers' files")
struct ProviderReviewTests {
    /// A piece of a good provider that is spoilt, and what is said about it: rule, line and a part of the message.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let old: String
        let new: String
        let line: Int
        let message: String

        init(_ rule: String, _ old: String, _ new: String, line: Int, _ message: String) {
            (testDescription, self.old, self.new, self.line, self.message) = (rule, old, new, line, message)
        }
    }

    @Test(arguments: [
        Fault("contract", "terms: {", "term: {", line: 7, "did you mean terms?"),
        Fault("contract", "max: 50", "maxx: 50", line: 6, "did you mean max?"),
        Fault(
            "contract", "'https://made.example/terms'", "'made.example/terms'", line: 7,
            "terms.url: expected an absolute URL"),
        Fault(
            "terms-url", "terms: { url: 'https://made.example/terms' }", "terms: { license: 'L' }", line: 7,
            "terms.url is missing"),
        Fault("auth-help", ", help: 'https://made.example/keys'", "", line: 5, "auth.help is missing"),
        Fault(
            "unused-parameter", "search: {", "search: { params: { color: { type: 'string' } },", line: 11,
            "color of search is declared but never read"),
        Fault(
            "undeclared-parameter", "size: q.limit", "size: q.limit, c: q.params.colour", line: 11,
            "q.params.colour, which is not declared"),
        Fault(
            "request", "query: {", "params: {", line: 12,
            "search.request: params: expected a field of a request, found \"params\""),
        Fault(
            "request", "request: (q) => ({", "request: async (q) => ({", line: 12,
            "search.request: expected a request, found a promise; providers are synchronous"),
        Fault(
            "request", "q: q.text, ", "q: q.text.words.first, ", line: 12, "search.request: TypeError: undefined is not"
        ),
        Fault("unread-text", "q: q.text, ", "q: 'coffee', ", line: 11, "search never reads q.text"),
        Fault("unread-page", "page: q.page, ", "page: 1, ", line: 11, "search never reads q.page"),
        Fault("unread-limit", "size: q.limit", "size: 3", line: 11, "search never reads q.limit"),
        Fault(
            "unused-host", "hosts: ['api.made.example']", "hosts: ['api.made.example', 'old.made.example']", line: 4,
            "no request goes to \"old.made.example\""),
        Fault(
            "unseen-media-host", "['cdn.made.example']", "['cdn.made.example', 'old.made.example']", line: 4,
            "no recorded file is on"),
        Fault(
            "plain-http", "['cdn.made.example']", "['cdn.made.example', 'http://x.example']", line: 4,
            "allows plain http"),
        Fault("string-id", "id, type", "id: String(id), type", line: 23, "String(…) around an id"),
        Fault(
            "unused-helper", "{ fail, parseDate }", "{ fail, hash, parseDate }", line: 1,
            "hash is required but never used"),
        Fault(
            "undeclared-host", "({ url: `/images/", "({ url: `https://other.example/images/", line: 16,
            "hosts has no \"other.example\""),
        Fault(
            "key-in-url", "({ url: '/search', query:",
            "({ url: 'https://api.made.example/search?api_key=abc', query:", line: 12, "?api_key= in a URL"),
        Fault("misspelt-field", "title, created", "titel: title, created", line: 23, "items have the field titel"),
        Fault(
            "unrecorded", "details: {",
            "feed: { request: () => ({ url: '/recent' }), parse: (res) => ({ items: [] }) }, details: {", line: 15,
            "feed has no recorded response"),
        Fault(
            "no-media", "function image(",
            "function image() { return { ...full(...arguments), media: [] }; }\nfunction full(", line: 11,
            "no image of search has a file"),
        Fault(
            "match-operation", "details: {",
            "match: [{ pattern: 'u:{id}', item: { id: '{id}', type: 'collection' } }], details: {", line: 15,
            "there is no collection operation"),
    ])
    func faultIsFoundInItsPlaceWithAFix(fault: Fault) async throws {
        let provider = try MadeProvider(changing: [(fault.old, fault.new)])
        let checked = await ProviderReview.check(provider.file, MadeProvider.settings)
        withExtendedLifetime(provider) {}
        let finding = try #require(checked.findings.first { $0.rule == fault.testDescription }, "\(checked.findings)")
        #expect(
            finding.location.file == "made.js" && finding.location.line == fault.line && finding.location.column > 0,
            "\(finding.location)")
        #expect(finding.message.contains(fault.message), "\(finding.message)")
        #expect(!finding.fix.description.isEmpty)
    }

    @Test(arguments: [
        ("id: 'made'", "id: 'mode'", "write id: 'made', or name the file mode.js"),
        ("version: '1.0.0'", "version: '1'", "give version a value such as 1.0.0"),
        ("limits: {", "paging: 'pages', limits: {", "write paging: one of page, page0, offset, cursor, none"),
        ("limits: {", "limits: {{", "check this line and the end of the previous one"),
        ("module.exports = {", "export default {", "there are no ES modules"),
        ("module.exports = {", "throw new Error('x'); module.exports = {", "only describe the source at the top level"),
        ("require('imgscript')", "require('./gone')", "check the name"),
        ("module.exports = {", "throw 'x'; module.exports = {", "only describe the source at the top level"),
        ("module.exports = {", "const provider = {", "write module.exports = {"),
        ("module.exports = {", "module.exports = 3; const made = {", "write module.exports = {"),
        (
            "module.exports = {", "module.exports = { request() {}, marks: [1] }; const made = {",
            "check the providers that require it"
        ),
        ("contract: 1", "contract: 2", "write contract: 1, or update imgscript"),
        ("module.exports = {", "/*\(String(repeating: "x", count: 1 << 20))*/ module.exports = {", "move data out"),
        ("version:", "colours: [], version:", "remove it, or see the contract"),
    ])
    func fileThatCannotBeUsedHasAPlaceAndAFix(_ old: String, _ new: String, _ fix: String) async throws {
        let provider = try MadeProvider(changing: [(old, new)])
        let checked = await ProviderReview.check(provider.file, MadeProvider.settings)
        withExtendedLifetime(provider) {}
        let finding = try #require(checked.findings.first { $0.severity == .error })
        #expect(finding.fix.description.contains(fix), "\(finding)")
        #expect(finding.location.line > 0 && finding.location.column > 0)
    }

    @Test func callThatDoesNotEndHasNoPlaceRatherThanAWrongOne() async throws {
        let call = "const none = 'x'.repeat(3e6).replace(/x*y/g, '');\nmodule.exports = {"
        let provider = try MadeProvider(changing: [("module.exports = {", call)])
        var settings = MadeProvider.settings
        settings.deadline = .milliseconds(200)
        let checked = await ProviderReview.check(provider.file, settings)
        withExtendedLifetime(provider) {}
        let finding = try #require(checked.findings.first { $0.severity == .error })
        #expect(finding.message == "ran longer than 200 ms and was stopped")
        #expect(finding.location.description == "made.js")
        #expect(finding.fix.description.contains("look for a regular expression"), "\(finding.fix)")
    }

    @Test func allThatIsAgainstTheContractIsReportedAtOnceEachInItsPlace() async throws {
        let provider = try MadeProvider(changing: [
            ("version: '1.0.0'", "version: '1'"), ("hosts: ['api.made.example']", "hosts: ['https://a/b', 'c d']"),
            ("max: 50", "max: 0"), ("terms: {", "term: {"), ("search: {", "search: 5, serch() {}, feed: {"),
        ])
        let checked = await ProviderReview.check(provider.file, MadeProvider.settings)
        withExtendedLifetime(provider) {}
        let found = checked.findings.map { "\($0.location.line) \($0.message.prefix { $0 != ":" })" }
        let expected = "3 version, 4 hosts[0], 4 hosts[1], 6 limits.pageSize.max, 7 term, 11 search, 11 serch"
        #expect(found.joined(separator: ", ") == expected, "\(checked.findings)")
        #expect(
            checked.findings.allSatisfy {
                $0.severity == .error && $0.location.column > 1 && !$0.fix.description.isEmpty
            })
    }

    @Test func generatorWhoseSecondStepWasNeverSeenIsNotBlamed() async throws {
        let body = """
            *search(q) {
                const ids = (yield { url: '/search', query: { q: q.text } }).json.ids;
                return { items: [], next: (q.cursor ?? 0) + q.limit < ids.length ? q.limit : null };
              },
              feed: {
            """
        let provider = try MadeProvider(changing: [("search: {", body)], cassettes: [])
        let checked = await ProviderReview.check(provider.file, MadeProvider.settings)
        withExtendedLifetime(provider) {}
        #expect(!checked.findings.contains { $0.message.contains("search never reads") }, "\(checked.findings)")
    }

    @Test func goodProviderHasNothingButHints() async throws {
        let provider = try MadeProvider()
        let checked = await ProviderReview.check(provider.file, MadeProvider.settings)
        withExtendedLifetime(provider) {}
        #expect(checked.findings.filter { $0.severity != .hint } == [])
        #expect(checked.isUsable && checked.manifest?.id.description == "made")
    }

    @Test func damagedCassetteIsToBeCorrectedItself() {
        let message = "cassettes/made/search.json is not a cassette: entries[0].call: expected a text, found a number"
        let fix = ContractFix(of: message, at: "", SourceOutline("module.exports = { contract: 1 };", file: "made.js"))
        #expect(fix.hint == .plain("correct that place of the cassette, or record it again"))
    }

    @Test func placesAreFoundBesideCommentsTemplatesAndExpressions() {
        let outline = SourceOutline(
            """
            // module.exports = { id: 'no' }
            const r = /[{/]"/g, t = `${{ a: `}` }.a}`;
            module.exports = theme({
              hosts: ['a', 'b'], // first
              limits: { 'rate': [`1/${1}s`], pageSize: { max: (() => ({ a: 1 }))().a } },
              *search(q) { const x = { terms: 1 }; yield { url: '' }; },
              terms: {
                url: 'x' },
            });
            """, file: "a.js")
        #expect(outline.place(of: "hosts[1]").description == "a.js:4:16")
        #expect(outline.place(of: "limits.rate[0]").description == "a.js:5:22")
        #expect(outline.place(of: "limits.pageSize.max").description == "a.js:5:46")
        #expect(outline.place(of: "search.params.color").description == "a.js:6:4")
        #expect(outline.place(of: "terms.url").description == "a.js:8:5")
        #expect(outline.place(of: "auth.help").description == "a.js:3:1")
    }
}
