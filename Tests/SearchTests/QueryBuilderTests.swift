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

    // MARK: Conditions that the source checks

    private func conditions(
        _ prepare: (inout SearchOptions) -> Void
    ) throws -> (parameters: [ProviderQuery.Parameter], conditions: [ParameterDescription.Condition]) {
        let manifest = ProviderManifest.fake {
            func parameter(
                _ name: String, _ kind: ParameterDescription.Kind, _ condition: ParameterDescription.Condition
            ) -> ParameterDescription {
                var parameter = ParameterDescription(name: name, kind: kind)
                parameter.condition = condition
                return parameter
            }
            var width = parameter("width", .integer, .minWidth)
            width.maximum = 5_000
            $0.operations[0].parameters = [
                parameter("from", .string, .since), parameter("last_year", .integer, .until),
                parameter("without", .list, .excludeTag), width, parameter("no_ai", .boolean, .noAI),
            ]
        }
        var options = SearchOptions()
        prepare(&options)
        let builder = QueryBuilder(manifest: manifest, listing: .search("x"))
        return (try builder.query(options).parameters, builder.conditions(options))
    }

    @Test func conditionIsPassedInTheParameterForIt() throws {
        let asked = try conditions {
            $0.filter.since = FilterDate("2024-05-10T12:00Z")
            $0.filter.until = FilterDate("2026")
            $0.filter.excludedTags = ["red", "blue"]
            $0.filter.minimumWidth = 800
            $0.filter.minimumHeight = 600
            $0.filter.excludesAIGenerated = true
        }
        #expect(
            asked.parameters == [
                .init("from", .text("2024-05-10T00:00:00Z")), .init("last_year", .number(2_026)),
                .init("without", .list(["red", "blue"])), .init("width", .number(800)),
                .init("no_ai", .boolean(true)),
            ])
        #expect(asked.conditions == [.since, .until, .excludeTag, .minWidth, .noAI])
    }

    @Test func givenParameterAndOneOutOfRangeAreLeftAlone() throws {
        let asked = try conditions {
            $0.filter.minimumWidth = 9_000
            $0.filter.since = FilterDate("2024")
            $0.parameters = ["from": "2020"]
        }
        #expect(asked.parameters == [.init("from", .text("2020"))])
        #expect(asked.conditions.isEmpty)
    }

    /// The value that a parameter of the source gets for a condition; nil where it gets none.
    private func value(
        _ kind: ParameterDescription.Kind, _ condition: ParameterDescription.Condition, _ values: [String] = [],
        _ pairs: [(String, String)] = [], _ prepare: (inout ItemFilter) -> Void
    ) throws -> ParameterValue? {
        let manifest = ProviderManifest.fake {
            var parameter = ParameterDescription(name: "p", kind: kind)
            parameter.condition = condition
            parameter.values = values
            parameter.conditionValues = pairs.map { NamedValue($0.0, $0.1) }
            $0.operations[0].parameters = [parameter]
        }
        var options = SearchOptions()
        prepare(&options.filter)
        let builder = QueryBuilder(manifest: manifest, listing: .search("x"))
        let value = try builder.query(options).parameters.first?.value
        #expect(builder.conditions(options) == (value == nil ? [] : [condition]))
        return value
    }

    @Test(arguments: [
        ("landscape", "horizontal"), ("16:9", "horizontal"), ("4:3..16:9", "horizontal"), ("portrait", "vertical"),
        ("9:16", "vertical"), ("square", nil), ("3:4..4:3", nil),
    ])
    func shapeIsSentInTheSourcesWord(_ shape: String, _ word: String?) throws {
        let pairs = [("landscape", "horizontal"), ("portrait", "vertical")]
        let sent = try value(.choice, .aspect, ["horizontal", "vertical"], pairs) { $0.aspect = AspectRatio(shape) }
        #expect(sent == word.map { .text($0) })
    }

    @Test(arguments: [
        (["cc0"], ["zero"]), (["cc-by"], ["by2", "by4"]), (["cc-by-4.0", "cc0-1.0"], ["by4", "zero"]),
        (["cc-by-nc"], nil), (["cc0", "unsplash"], nil),
    ])
    func licencesAreSentWhereTheSourceKnowsThemAll(_ wanted: [String], _ sent: [String]?) throws {
        let pairs = [("cc-by-2.0", "by2"), ("cc-by-4.0", "by4"), ("cc0", "zero")]
        let found = try value(.list, .license, ["by2", "by4", "zero"], pairs) { $0.licenses = wanted }
        #expect(found == sent.map { .list($0) })
    }

    @Test func oneLicenceIsNoneOfSeveral() throws {
        let pairs = [("cc0", "true"), ("pdm", "true")]
        #expect(try value(.boolean, .license, [], pairs) { $0.licenses = ["cc0", "pdm"] } == .boolean(true))
        let other = [("cc0", "open"), ("cc-by-nc", "closed")]
        let both = try value(.choice, .license, ["open", "closed"], other) { $0.licenses = ["cc0", "cc-by-nc"] }
        #expect(both == nil)
    }

    @Test(arguments: [(3_000_000, nil), (4_000_000, "small"), (11_999_999, "small"), (50_000_000, "large")])
    func leastNumberIsTheNextBelow(_ pixels: Int, _ size: String?) throws {
        let pairs = [("24000000", "large"), ("4000000", "small")]
        let sent = try value(.choice, .minPixels, ["large", "small"], pairs) { $0.minimumPixels = pixels }
        #expect(sent == size.map { .text($0) })
    }

    @Test func formatIsTheSameByAnyName() throws {
        let sent = try value(.list, .mediaFormat, ["jpg", "png"]) { $0.mediaFormats = ["jpeg"] }
        #expect(sent == .list(["jpg"]))
    }

    @Test func recordingsAreAskedForWithoutConditions() throws {
        let asked = try conditions {
            $0.filter.minimumWidth = 800
            $0.answersAreRecorded = true
        }
        #expect(asked.parameters.isEmpty && asked.conditions.isEmpty)
    }
}
