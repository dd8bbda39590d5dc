import HTTPTransport
import HTTPTypes
import ProviderModel
import ProviderRuntime
import ProviderTestSupport
import Synchronization
import Testing

@Suite("Strict replay")
struct ReplayTransportTests {
    private let recorded = MadeProvider.cassette(
        "search",
        [
            MadeProvider.entry("/search?q=coffee&page=1", #"{"page":1}"#),
            MadeProvider.entry("/search?q=coffee&page=2", #"{"page":2}"#),
            MadeProvider.entry("/search?q=coffee&page=2", #"{"page":"2 again"}"#),
        ])

    private func text(_ response: TransportResponse) -> String { String(decoding: response.body, as: UTF8.self) }

    @Test func pairsMayComeInAnyOrder() async throws {
        let transport = ReplayTransport(CassetteLibrary([recorded]))
        let response = try await transport.send(request("https://api.made.example/search?page=1&q=coffee"))
        #expect(text(response) == #"{"page":1}"#)
    }

    @Test func entriesOfOneRequestAnswerInTurnAndTheLastAgain() async throws {
        let used = Mutex<[Cassette.Place]>([])
        let transport = ReplayTransport(CassetteLibrary([recorded])) { place in used.withLock { $0.append(place) } }
        let second = try request("https://api.made.example/search?q=coffee&page=2")
        #expect(text(try await transport.send(second)) == #"{"page":2}"#)
        #expect(text(try await transport.send(second)) == #"{"page":"2 again"}"#)
        #expect(text(try await transport.send(second)) == #"{"page":"2 again"}"#)
        #expect(used.withLock { $0.map(\.index) } == [1, 2, 2])
    }

    @Test func onlyTheCassettesThatAreNamedAnswer() async throws {
        let other = MadeProvider.cassette("other", [MadeProvider.entry("/search?q=coffee&page=1", "other")])
        let first = try request("https://api.made.example/search?q=coffee&page=1")
        let library = CassetteLibrary([recorded, other])
        #expect(text(try await ReplayTransport(library, cassettes: ["other"]).send(first)) == "other")
        let second = try request("https://api.made.example/search?q=coffee&page=2")
        let error = await #expect(throws: UnmatchedRequest.self) {
            try await ReplayTransport(library, cassettes: ["other"]).send(second)
        }
        #expect(
            error?.description.contains("search.json entries[1] has this request, but its cassette is not used")
                == true)
    }

    @Test func aGoodAnswerComesBeforeAnErrorToTheSameRequest() async throws {
        let errors = MadeProvider.cassette("errors", [MadeProvider.entry("/a", "no", status: 500)])
        let good = MadeProvider.cassette("search", [MadeProvider.entry("/a", "yes")])
        let response = try await ReplayTransport(CassetteLibrary([errors, good])).send(
            request("https://api.made.example/a"))
        #expect(text(response) == "yes")
    }

    @Test func anUnmatchedRequestNamesTheNearestAndWhatDiffers() async throws {
        let transport = ReplayTransport(CassetteLibrary([recorded]))
        let asked = try request("https://api.made.example/search?q=coffee&page=3&size=9")
        let error = await #expect(throws: UnmatchedRequest.self) { try await transport.send(asked) }
        #expect(
            error?.candidates.first?.differences == [
                "`page`: recorded \"1\", requested \"3\"", "`size`: not recorded, requested \"9\"",
            ])
        #expect(transport.unmatched.count == 1)
    }

    @Test(arguments: [
        ("https://api.made.example/other?q=a", "GET", "", "path: recorded /search, requested /other"),
        ("https://api.made.example/search?q=a", "POST", "", "method: recorded GET, requested POST"),
        (
            "https://made.example/search?q=a", "GET", "",
            "server: recorded https://api.made.example, requested https://made.example"
        ),
        ("https://api.made.example/search?q=a%26b", "GET", "", "`q`: recorded \"a\", requested \"a&b\""),
        ("https://api.made.example/search", "GET", "", "`q`: recorded \"a\", not requested"),
        ("https://api.made.example/search?q=a", "GET", "x=1", "body: recorded empty, requested \"x=1\""),
        ("https://api.made.example/se%61rch?q=a", "GET", "", ""),
    ])
    func differencesAreNamed(_ url: String, _ method: String, _ body: String, _ line: String) throws {
        let asked = try request(url, method: HTTPRequest.Method(method)!, body: body)
        let difference = RequestDifference(of: asked, from: MadeProvider.entry("/search?q=a", "{}"))
        #expect(difference.lines == (line.isEmpty ? [] : [line]))
    }

    @Test func jsonBodiesAreComparedByMembers() throws {
        let entry = Cassette.Entry(
            method: "POST", url: try WebURL("https://api.made.example/"), body: Array(#"{"a":1,"b":{"c":"x"}}"#.utf8),
            content: [])
        let same = try request("https://api.made.example/", method: .post, body: #"{"b":{"c":"x"},"a":1}"#)
        #expect(RequestDifference(of: same, from: entry).isNone)
        let other = try request("https://api.made.example/", method: .post, body: #"{"b":{"c":"y"},"a":1}"#)
        #expect(RequestDifference(of: other, from: entry).lines == ["body $.b.c: recorded \"x\", requested \"y\""])
    }

    /// Requests are looked up and not compared one by one: what a comparison calls the same has to be found.
    @Test(arguments: [
        ("https://api.made.example/a%2Fb/c?x=1&y=2", 0), ("https://api.made.example/a%2fb/c?y=2&x=1", 0),
        ("https://api.made.example/a/b/c?x=1&y=2", nil), ("https://api.made.example/users/anna?key=abc&page=1", 1),
        ("https://api.made.example/users/ben?page=1&key=%2A%2A%2A", 1),
        ("https://api.made.example/users/ben?page=2&key=abc", nil), ("https://api.made.example/?tag=b&tag=a", 2),
        ("https://api.made.example/?tag=a&tag=secret", 2), ("https://api.made.example/?tag=b&tag=c", nil),
    ])
    func whatIsAskedIsFoundHoweverItIsWritten(_ url: String, index: Int?) async throws {
        let entries = CassetteLibrary([
            MadeProvider.cassette(
                "search",
                ["/a%2Fb/c?x=1&y=2", "/users/***?key=***&page=1", "/?tag=a&tag=***", "/?tag=a&tag=b"].enumerated()
                    .map { MadeProvider.entry($1, "\($0)") })
        ])
        let response = try? await ReplayTransport(entries).send(request(url))
        #expect(response.map(text) == index.map { "\($0)" })
    }

    /// Compared with every entry, each request would take as long as the cassette is: all together several minutes.
    @Test(.timeLimit(.minutes(1))) func everyEntryOfALargeCassetteIsFoundAtOnce() async throws {
        let words = (0..<5_000).map { "/search?q=word\($0)&page=1" }
        let transport = ReplayTransport(
            CassetteLibrary([MadeProvider.cassette("search", words.map { MadeProvider.entry($0, $0) })]))
        for word in words {
            try Task.checkCancellation()
            #expect(text(try await transport.send(request("https://api.made.example\(word)"))) == word)
        }
    }

    @Test func aMaskedValueStandsForAny() throws {
        let entry = MadeProvider.entry("/users/***/photos?session_id=***", "{}")
        let asked = try request("https://api.made.example/users/anna/photos?session_id=abc")
        #expect(RequestDifference(of: asked, from: entry).isNone)
    }
}
