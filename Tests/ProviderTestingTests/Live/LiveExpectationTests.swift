import Foundation
import HTTPTransport
import ProviderModel
import ProviderRuntime
import ProviderTestSupport
import ProviderTesting
import TestSupport
import Testing

@Suite("Test files against the service")
struct LiveExpectationTests {
    private let answers = [
        "/search?q=tea&page=1&size=3": #"{"total":1,"hits":[\#(MadeProvider.image("live"))]}"#
    ]

    private func suite(
        _ tests: String, _ transport: any Transport, _ credentials: CredentialSource = .none
    ) async throws -> TestReport.Suite {
        let made = try MadeProvider()
        try tests.write(toFile: made.file.folder + "/made.test.js", atomically: true, encoding: .utf8)
        var settings = TestSettings()
        settings.worker = BuiltWorker.path
        settings.deadline = .seconds(10)
        let service = LiveService(transport: transport, credentials: credentials, today: CalendarDay("2026-11-21")!)
        let suite = await ProviderExpectations.suite(of: made.file, live: service, settings)
        #expect(!FileManager.default.fileExists(atPath: made.file.folder + "/__snapshots__"))
        return suite
    }

    @Test func answersAreTheServicesOwn() async throws {
        let service = FakeService(answers)
        let suite = try await suite(
            "test('t', () => { expect(run.search('tea').items.map((item) => item.id)).toEqual(['live']); });", service)
        #expect(suite.isLive && suite.cases.map(\.outcome) == [.passed], "\(suite.cases)")
        #expect(service.targets == ["/search?q=tea&page=1&size=3"])
    }

    @Test func whatTheServiceDoesNotKnowIsAnErrorTheTestMayExpect() async throws {
        let suite = try await suite(
            """
            test('expected', () => { expect(() => run.details('x')).toThrow('notFound'); });
            test('not expected', () => { run.details('x'); });
            """, FakeService([:]))
        #expect(suite.cases.map(\.outcome) == [.passed, .failed])
    }

    @Test func snapshotsAreNotComparedAndRecordedErrorsNotAskedFor() async throws {
        let suite = try await suite(
            """
            test('kept', () => { expect(run.search('tea')).toMatchSnapshot(); });
            test('errors', () => { cassette('errors'); expect(() => run.search('tea')).toThrow('rate'); });
            """, FakeService(answers))
        #expect(suite.cases.map(\.outcome) == [.passed, .skipped])
        #expect(suite.cases[0].note == "1 snapshot not compared")
        #expect(suite.cases[1].note?.contains("recorded errors") == true)
    }

    @Test func withoutAKeyTheFileFailsOnceAndNothingIsAsked() async throws {
        let service = FakeService(answers)
        let keys = SecretStore(folder: "/nonexistent", environment: [:])
        let suite = try await suite("test('a', () => {}); test('b', () => {});", service, .user(keys))
        #expect(suite.cases.count == 1 && suite.cases[0].problems.first?.message.contains("a key is required") == true)
        #expect(service.targets.isEmpty)
    }
}
