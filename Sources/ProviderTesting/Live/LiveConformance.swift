import HTTPTransport
import ProviderRuntime
import ProviderModel

/// Runs what holds for every item over what the real service says now.
package enum LiveConformance {
    /// Checks that look at items and pages; those that send odd requests are kept from real services.
    private static let checks: [any ConformanceCheck] = [
        PagesCheck(), MediaHostsCheck(), IdentityCheck(), SizesCheck(), DatesCheck(), NonsenseCheck(),
    ]

    /// The live conformance of one file: two pages of a search, one of the feed, and one item's details.
    package static func suite(
        of file: ProviderFile, _ settings: ConformanceSettings, _ service: LiveService
    ) async -> TestReport.Suite {
        await ConformanceSubject.withSubject(file, settings, named: "\(file.id) conformance", isLive: true) {
            recorded, suite in
            let live = try await LiveSubject(recorded, service)
            var subject = recorded
            (subject.recorded, subject.walks, subject.emptyCalls, subject.failingCalls) = ([], [], [], [])
            for (call, pages) in [(live.search, 2), (live.feed, 1)] {
                guard let call else { continue }
                let start = ContinuousClock.now
                let walk = await live.walk(call, pages: pages)
                subject.walks.append(walk)
                suite.cases.append(result(of: walk, took: ContinuousClock.now - start))
            }
            if let call = live.details(after: subject.walks.flatMap { $0.pages.flatMap(\.items) }) {
                let take = await live.ask(call)
                suite.cases.append(result(of: take, call))
                if case .success(let result) = take.result {
                    subject.recorded.append(
                        ConformanceSubject.Recorded(
                            call: call, result: result, requests: take.requests, answers: take.answers,
                            duration: take.duration))
                }
            }
            for check in checks { suite.cases.append(await check.result(on: subject)) }
        }
    }

    private static func result(of walk: ListingWalk, took duration: Duration) -> TestReport.Case {
        let items = walk.pages.reduce(0) { $0 + $1.items.count }
        var problems: [TestReport.Problem] = []
        if case .failed(let error) = walk.end { problems = [TestReport.Problem(error, during: "\(walk.call)")] }
        return TestReport.Case(
            "\(walk.call) answers", problems.isEmpty ? .passed : .failed,
            note: "\(items.counted("item")) on \(walk.pages.count.counted("page"))",
            problems: problems, duration: duration)
    }

    private static func result(
        of take: StubTransport.CallCapture<ProviderCall.Result>, _ call: ProviderCall
    ) -> TestReport.Case {
        var problems: [TestReport.Problem] = []
        if case .failure(let error) = take.result { problems = [TestReport.Problem(error, during: "\(call)")] }
        return TestReport.Case(
            "\(call) answers", problems.isEmpty ? .passed : .failed, problems: problems, duration: take.duration)
    }
}
