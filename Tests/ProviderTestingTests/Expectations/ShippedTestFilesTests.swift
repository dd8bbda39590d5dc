import ProviderTesting
import TestSupport
import Testing

@Suite("Shipped test files")
struct ShippedTestFilesTests {
    static let folder = #filePath.split(separator: "/").dropLast(4).reduce(into: "") { $0 += "/\($1)" } + "/providers"

    @Test(arguments: ["itunes", "mastodon", "met", "pixabay", "unsplash"])
    func expectationsOfAShippedProviderHold(_ provider: String) async {
        var settings = TestSettings()
        settings.worker = BuiltWorker.path
        settings.deadline = .seconds(10)
        // Nothing may be written beside the shipped files.
        settings.snapshots = .none
        let report = await ProviderExpectations.run(file: "\(Self.folder)/\(provider).test.js", settings: settings)
        #expect(report.failures == [])
        #expect(report.count(of: .passed) >= 5)
    }
}
