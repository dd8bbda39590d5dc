import ProviderModel
import Testing
import WorkerProtocol

@testable import ScriptEngine

@Suite("A page against the contract is reported with every kind of fault in it")
struct FaultyPageTests {
    /// The paths of the errors, in order.
    private func faults(of page: String) throws -> [String] {
        let environment = TestEngine().environment
        let value = try environment.runtime.evaluate("(\(page))", file: "test.js")
        do throws(ScriptFault) {
            _ = try environment.read(value) { reader throws(ContractViolation) in
                try reader.readingAll { reader throws(ContractViolation) in
                    _ = try Page(&reader)
                }
            }
            return []
        } catch {
            guard case .violation(let first) = error else { return ["\(error)"] }
            return ([first] + first.others).map(\.path)
        }
    }

    private static let good = "id: '1', type: 'image', media: [{ role: 'original', url: 'https://a.example/1.jpg' }]"

    @Test(arguments: [
        // One field after another, at every depth, and behind a text that cannot be read.
        (
            "{ id: '1', type: 'image', title: '\\ud800\"}', page: 'x', media: [{ role: 'huge', url: 'y' }] }",
            "title page media[0].role media[0].url"
        ),
        (
            "{ id: '1', type: 'image', author: 7, license: { id: 1, name: 2 }, media: [] }",
            "author license.id license.name"
        ),
        // What is missing, each for itself.
        ("{ media: [{}] }", "media[0].role media[0].url id"),
        ("{ id: undefined, type: 'photo', media: {} }", "type media id"),
        // No more than a person mends at a time.
        (
            "{ id: '', type: 1, title: 2, description: 3, page: 4, tags: 5, created: 6, media: [] }",
            "id type title description page"
        ),
        ("7", ""),
    ])
    func faultsOfAnItem(_ item: String, _ paths: String) throws {
        let expected = paths.isEmpty ? ["items[1]"] : paths.split(separator: " ").map { "items[1].\($0)" }
        #expect(try faults(of: "{ items: [{ \(Self.good) }, \(item)] }") == expected)
    }

    @Test func faultThatAllItemsHaveIsReportedOnce() throws {
        let items = (1...30).map { "{ \(Self.good), page: 'x'\($0 == 20 ? ", rating: 'none'" : "") }" }
        let found = try faults(of: "{ items: [\(items.joined(separator: ","))], total: -1 }")
        #expect(found == ["items[0].page", "items[19].rating", "total"])
    }

    @Test func faultsOfOneItemAreReportedTheSame() throws {
        let fault = #expect(throws: ScriptFault.self) {
            let environment = TestEngine().environment
            let value = try environment.runtime.evaluate(
                "({ page: 1, media: [{ role: 'original' }] })", file: "test.js")
            _ = try environment.read(value) { reader throws(ContractViolation) in
                try reader.readingAll { reader throws(ContractViolation) in try Item(&reader) }
            }
        }
        guard case .violation(let first) = try #require(fault) else { return }
        #expect(([first] + first.others).map(\.path) == ["page", "media[0].url", "id"])
    }

    @Test func goodPageHasNone() throws { #expect(try faults(of: "{ items: [{ \(Self.good) }] }") == []) }
}
