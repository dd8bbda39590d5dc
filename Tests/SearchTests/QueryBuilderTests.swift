import ProviderModel
import Testing

@testable import Search

@Suite("A query is within the provider's limits")
struct QueryBuilderTests {
    private static let manifest = ProviderManifest.fake {
        $0.limits.pageSize = Limits.PageSize(minimum: 3, maximum: 50, default: 20)
        $0.limits.textMinimum = 2
        $0.limits.textMaximum = 5
        var order = ParameterDescription(name: "order", kind: .choice)
        order.values = ["new", "old"]
        var size = ParameterDescription(name: "size", kind: .integer)
        size.default = "7"
        $0.operations[0].parameters = [order, size]
    }

    private func query(
        _ text: String = "word", listing: Listing? = nil, _ prepare: (inout SearchOptions) -> Void = { _ in }
    ) throws(ProviderError) -> ProviderQuery {
        var options = SearchOptions()
        prepare(&options)
        return try QueryBuilder(manifest: Self.manifest, listing: listing ?? .search(text)).query(options)
    }

    @Test(
        arguments: [
            (1, nil, 3), (7, nil, 7), (1_000, nil, 50), (1_000, 10, 10), (7, 1, 3), (7, 99, 50),
        ] as [(Int, Int?, Int)])
    func pageSizeFitsTheLimitWithinTheProvidersBounds(limit: Int, pageSize: Int?, expected: Int) throws {
        let query = try query {
            $0.limit = limit
            $0.pageSize = pageSize
        }
        #expect(query.limit == expected)
    }

    @Test func filteredSearchAsksForAtLeastTheStandardSize() throws {
        let query = try query {
            $0.limit = 5
            $0.filter.tags = ["red"]
        }
        #expect(query.limit == 20)
    }

    @Test func recordedAnswersAreAskedForInTheStandardSize() throws {
        let query = try query {
            $0.limit = 5
            $0.answersAreRecorded = true
        }
        #expect(query.limit == 20)
    }

    @Test func parametersAreReadAndStandardsFilledIn() throws {
        let query = try query { $0.parameters = ["order": "old"] }
        #expect(query.parameters == [.init("order", .text("old")), .init("size", .number(7))])
    }

    @Test(arguments: [
        ("", "the search text is empty (expected at least 2 characters)"),
        (" a ", "the search text has 1 character (expected at least 2 characters)"),
        ("abcdef", "the search text has 6 characters (expected at most 5)"),
    ])
    func textOfTheWrongLengthIsReportedBeforeAnythingIsSent(_ text: String, message: String) {
        let error = #expect(throws: ProviderError.self) { try query(text) }
        #expect(error?.code == .unsupported)
        #expect(error?.message == message)
    }

    @Test func feedNeedsNoText() throws {
        #expect(try query("", listing: .feed).text == "")
    }

    @Test(arguments: [
        (["colour": "red"], "unknown parameter \"colour\" (expected order, size)"),
        (["order": "upside"], "order: invalid value \"upside\" (expected one of new, old)"),
        (["size": "big"], "size: invalid value \"big\" (expected a whole number)"),
    ])
    func wrongParameterSaysWhatWouldBeRight(_ parameters: [String: String], message: String) {
        let error = #expect(throws: ProviderError.self) { try query { $0.parameters = parameters } }
        #expect(error?.message == message)
    }

    @Test func operationWithoutParametersHasNone() {
        let error = #expect(throws: ProviderError.self) { try query("", listing: .feed) { $0.parameters = ["a": "b"] } }
        #expect(error?.message == "unknown parameter \"a\" (expected none)")
    }

    @Test func pointIsTakenOnlyWhereTheSourceLooksAroundOne() throws {
        let point = ProviderQuery.Point(latitude: 52.52, longitude: 13.4)
        let error = #expect(throws: ProviderError.self) { try query { $0.near = point } }
        #expect(error?.code == .unsupported)
        #expect(error?.message == "this source has no search around a point")
        let manifest = ProviderManifest.fake { $0.operations[0].takesPoint = true }
        var options = SearchOptions()
        options.near = point
        let asked = try QueryBuilder(manifest: manifest, listing: .search("x")).query(options)
        #expect(asked.near == point)
    }

    @Test func missingOperationSaysWhatThereIs() {
        let album = Item(provider: Self.manifest.id, id: "1", type: .collection)
        let error = #expect(throws: ProviderError.self) { try query("", listing: .collection(album)) }
        #expect(error?.message == "this source has no collection (it has search, feed)")
    }
}
