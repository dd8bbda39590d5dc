import Foundation
import HTTPTransport
import ProviderModel
import ProviderRuntime
import ProviderTestSupport
import ProviderTesting
import Testing

@Suite("A source is asked for the few things that its provider's conformance names")
struct LiveHealthTests {
    private static let page =
        #"{"total":4,"hits":["# + ["a1", "a2", "a3"].map { MadeProvider.image($0) }.joined(separator: ",") + "]}"
    private static let answers = [
        "/search?q=coffee&page=1&size=3": page,
        "/search?q=coffee&page=2&size=3": #"{"total":4,"hits":[\#(MadeProvider.image("a4"))]}"#,
        "/images/a1": MadeProvider.image("a1"),
    ]

    private func check(
        _ transport: any Transport, loadFile: (@Sendable (Media, Item) async throws -> Void)? = { _, _ in }
    ) async throws -> SourceCheck {
        let made = try MadeProvider()
        let service = LiveService(
            transport: transport, credentials: .none, today: CalendarDay("2026-11-28")!, loadFile: loadFile)
        return await LiveHealth.check(made.file, MadeProvider.settings, service)
    }

    /// The answers with a change, of the listing and the details alike.
    private func changed(_ old: String, _ new: String) -> FakeService {
        FakeService(Self.answers.mapValues { $0.replacing(old, with: new) })
    }

    @Test func everyPartThatWorksIsNamed() async throws {
        let service = FakeService(Self.answers)
        let check = try await check(service)
        #expect(check.outcome == .answered && check.faults == [])
        #expect(check.works == [.search, .nextPage, .structure, .details, .file])
        #expect(check.version == ProviderVersion(provider: "1.0.0") && check.listing == .search)
        #expect(service.targets.count == 3)
    }

    @Test func listThatMovedIsAFaultOfTheSearch() async throws {
        let check = try await check(changed("\"hits\"", "\"results\""))
        #expect(check.outcome == .answered && check.faults.map(\.part) == [.search] && check.works == [])
    }

    @Test func emptyListIsAFaultOfTheSearch() async throws {
        let check = try await check(FakeService(["/search?q=coffee&page=1&size=3": #"{"total":0,"hits":[]}"#]))
        #expect(check.faults == [.init(.search, #"no images for search "coffee""#)])
    }

    @Test func fieldThatIsGoneIsAFaultOfTheStructure() async throws {
        let check = try await check(changed(#""title":"#, #""caption":"#))
        #expect(check.works.contains(.search) && check.faults.map(\.part) == [.structure])
        #expect(check.faults[0].reason == "$.hits[].title is gone (string); it breaks title")
    }

    @Test func pageThatDoesNotFollowIsAFaultOfTheNextPage() async throws {
        var answers = Self.answers
        answers["/search?q=coffee&page=2&size=3"] = "<html></html>"
        let check = try await check(FakeService(answers))
        #expect(check.works.contains(.search) && check.faults.map(\.part) == [.nextPage])
    }

    @Test func detailsOfAnItemThatIsGoneAreAskedOfOneThatIsListed() async throws {
        var answers = Self.answers
        answers["/images/a1"] = nil
        let service = FakeService(answers)
        let check = try await check(service)
        #expect(check.faults.map(\.part) == [.details], "\(check.faults)")
        #expect(service.targets.count { $0.hasPrefix("/images/") } == 2)
    }

    @Test func fileThatIsNoneIsAFault() async throws {
        let check = try await check(FakeService(Self.answers)) { media, item in
            throw ProviderError(.result, provider: "made", message: "\(media.url) of \(item.id) is a web page")
        }
        #expect(check.faults == [.init(.file, "https://cdn.made.example/a1.jpg of a1 is a web page")])
    }

    /// Neither is the provider's fault: others are served, and this machine may be offline.
    @Test func networkAndRefusalsAreNoFaults() async throws {
        let away = try await check(FailingService(TransportError(.connection, message: "could not resolve host")))
        #expect(away.outcome == .unreachable("could not resolve host") && away.faults == [])
        let busy = FailingService(ProviderError(.rate, provider: "made", message: "too many requests"))
        #expect(try await check(busy).outcome == .unchecked("too many requests"))
    }

    @Test func fileThatDoesNotLoadIsNotAsked() async throws {
        let made = try MadeProvider(changing: [("module.exports = {", "module.exports = {{")])
        let service = LiveService(
            transport: FakeService([:]), credentials: .none, today: CalendarDay("2026-11-28")!)
        let check = await LiveHealth.check(made.file, MadeProvider.settings, service)
        let isUnchecked = if case .unchecked = check.outcome { true } else { false }
        #expect(isUnchecked, "\(check.outcome)")
    }
}

/// A service that cannot be asked.
private struct FailingService: Transport {
    let error: any Error

    init(_ error: any Error) { self.error = error }

    func send(_ request: TransportRequest) async throws -> TransportResponse { throw error }
}
