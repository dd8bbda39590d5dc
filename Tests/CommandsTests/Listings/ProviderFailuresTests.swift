import ImgScript
import Testing

@testable import Commands

struct ProviderFailuresTests {
    private let sink = MemorySink()

    private func text(of errors: [ProviderError]) -> String {
        let status = StatusLine(to: sink.output, on: .pipe)
        var failures = ProviderFailures(providerCount: errors.count)
        for error in errors { failures.add(error, status) }
        failures.printGroups(on: status)
        return sink.text
    }

    private static func unreachable(_ name: String) -> ProviderError {
        ProviderError(
            .transport, provider: name, operation: .search, message: "could not resolve host: api.\(name).example")
    }

    @Test func failuresOfOneKindAreOneLine() {
        let errors = ["loc", "met", "vam", "yandere"].map(Self.unreachable)
        #expect(
            text(of: errors).hasPrefix("error: 4 providers could not be reached: could not resolve host (offline?)\n"))
        #expect(text(of: []).lines.count <= 2)
    }

    @Test func failuresOfOtherKindsStandAlone() {
        let other = ProviderError(.changed, provider: "met", operation: .search, message: "expected results")
        let lines = text(of: [Self.unreachable("loc"), other, Self.unreachable("vam"), Self.unreachable("artic")]).lines
        #expect(lines.contains("error: met: search: expected results"))
        #expect(lines.first == "error: 3 providers could not be reached: could not resolve host (offline?)")
    }

    /// The method and the address differ, and `--offline` is no way out of itself.
    @Test func responsesThatAreNotStoredAreOneLine() {
        let errors = ["loc", "met", "vam", "anilist"].map { name in
            ProviderError(
                .transport, provider: name, operation: .search,
                message: "no cached response to \(name == "anilist" ? "POST" : "GET") https://\(name).example/",
                hint: .goOnline)
        }
        #expect(
            text(of: errors).lines.prefix(2) == [
                "error: 4 providers have no stored response", "hint: run without --offline to ask the source",
            ])
    }

    @Test func fewProvidersFailOneByOne() {
        let lines = text(of: ["loc", "met"].map(Self.unreachable)).lines.filter { $0.hasPrefix("error: ") }
        #expect(lines.first == "error: loc: search: could not resolve host: api.loc.example" && lines.count == 2)
    }
}
