import ProviderModel
import Testing
import WorkerProtocol

@testable import ScriptEngine

@Suite("What a result can do without is left out where it is odd")
struct OddResultTests {
    private static let media = "media: [{ role: 'original', url: 'https://a.example/1.jpg' }]"

    private static func item(_ id: Int, _ more: String = "") -> String {
        "{ id: '\(id)', type: 'image', \(media), \(more) }"
    }

    /// What is read of a result, and what is said of the rest.
    private func read(_ result: String, of call: OperationCall = .search(ProviderQuery(text: "x")))
        throws -> EncodedResult
    {
        let environment = TestEngine().environment
        let value = try environment.runtime.evaluate("(\(result))", file: "test.js")
        var limits = WorkerLimits()
        limits.isStrict = false
        return try OperationResultReader(call: call, environment: environment, limits: limits).result(from: value)
    }

    private func page(_ text: String) throws -> (page: Page, faults: [ResultFault]) {
        let result = try read(text)
        guard case .page(let page) = result.result else { throw CancellationError() }
        // What crosses is what was read, and nothing that is left out.
        var writer = ByteWriter()
        writer.write(result)
        var reader = ByteReader(writer.bytes)
        let received: EncodedResult = try reader.read()
        #expect(received.result == result.result && received.faults == result.faults)
        return (page, result.faults)
    }

    @Test func textsKeepAllButTheirHalfCharacters() throws {
        let items = (1...5).map { Self.item($0, "title: 'a\\ud83d b\\udc00\\ud83d\\u0041', tags: ['\\ud83d\\ude00']") }
        let (page, faults) = try page("{ items: [\(items.joined(separator: ", "))] }")
        #expect(page.items.map(\.title) == [String](repeating: "a\u{FFFD} b\u{FFFD}\u{FFFD}A", count: 5))
        #expect(page.items[0].tags == ["😀"])
        #expect(faults.map(\.loss) == [.character] && faults.map(\.path) == ["items[0].title"] && faults[0].count == 5)
    }

    @Test(arguments: ["9007199254740992", "9007199254740993", "842991840004247553", "-9007199254740992", "1e300"])
    func numberThatMayBeRoundedIsNoId(_ id: String) throws {
        let item = Self.item(1).replacing("'1'", with: id)
        let (page, faults) = try page("{ items: [\(item), \(Self.item(2)), \(Self.item(3))] }")
        #expect(page.items.map(\.id) == ["2", "3"] && faults.map(\.path) == ["items[0].id"])
        #expect(faults[0].message.contains("below 2^53") && faults[0].message.contains("read it as text"))
    }

    @Test(arguments: [
        ("media: [{ role: 'original', url: 'https://a.example/1.jpg', width: 0 }]", "media[0].width", "found 0"),
        ("media: [{ role: 'original', url: 'https://a.example/1.jpg', width: -1 }]", "media[0].width", "found -1"),
        ("media: [{ role: 'original', url: 'https://a.example/1.jpg', height: '12' }]", "media[0].height", "\"12\""),
        ("media: [{ role: 'original', url: 'https://a.example/1.jpg', width: 12.5 }]", "media[0].width", "found 12.5"),
        ("media: [{ role: 'original', url: 'https://a.example/1.jpg', width: NaN }]", "media[0].width", "found NaN"),
        ("\(media.dropLast()), { role: 'small', url: '' }]", "media[1].url", "found"),
        ("\(media.dropLast()), null]", "media[1]", "found null"),
        ("title: 7", "title", "found 7"), ("page: '\\ud800'", "page", "lone surrogate"),
        ("page: 'x'", "page", "found"), ("tags: ['a', 7]", "tags[1]", "found 7"), ("tags: 'a'", "tags", "found \"a\""),
        ("tags: [1, 2]", "tags[0]", "found 1"), ("author: { name: '' }", "author.name", "found \"\""),
        ("created: 'yesterday'", "created", "found \"yesterday\""), ("colors: ['red']", "colors[0]", "found \"red\""),
        ("stats: { views: '7', likes: 1 }", "stats.views", "found \"7\""), ("rating: 'none'", "rating", "\"none\""),
        ("location: { latitude: 91 }", "location.latitude", "found 91"), ("extra: 7", "extra", "found 7"),
        ("weird: ['\\udc00']", "weird", "lone surrogate"),
    ])
    func oddFieldIsLeftOut(_ field: String, _ path: String, _ found: String) throws {
        let (page, faults) = try page("{ items: [\(Self.item(1)), \(Self.item(2, field))], total: 2 }")
        #expect(page.items.map(\.id) == ["1", "2"] && page.total == 2)
        #expect(page.items[1].media.map(\.url.description) == ["https://a.example/1.jpg"])
        #expect(faults.map(\.path) == ["items[1].\(path)"] && faults.map(\.loss) == [.value])
        #expect(faults.first?.message.contains(found) == true, "\(faults)")
    }

    @Test func theRestOfTheItemStays() throws {
        let odd =
            "title: 7, tags: ['a', 7, 'b'], stats: { views: '7', likes: 1 }, location: { latitude: 91, city: 'Rome' }"
        let item = try page("{ items: [\(Self.item(1, odd))] }").page.items[0]
        #expect(item.title == nil && item.tags == ["a", "b"] && item.stats.map(\.name) == ["likes"])
        #expect(item.location?.city == "Rome" && item.location?.latitude == nil)
    }

    @Test(arguments: [
        ("null", ""), ("undefined", ""), ("7", ""), ("{ id: '2', type: 'image' }", ".media"), ("{}", ".id"),
        ("{ id: '2', type: 'photo', media: [] }", ".type"),
        ("{ id: '2', type: 'image', title: 7, media: [{ role: 'small' }, null] }", ".media[0].url"),
    ])
    func itemWithoutWhatIsRequiredIsSkipped(_ item: String, _ path: String) throws {
        let (page, faults) = try page("{ items: [\(Self.item(1)), \(item), \(Self.item(3))] }")
        #expect(page.items.map(\.id) == ["1", "3"])
        #expect(faults.map(\.path) == ["items[1]\(path)"] && faults.map(\.loss) == [.item] && faults[0].count == 1)
    }

    @Test func faultsOfOneFieldAreCountedAtTheFirst() throws {
        let items = (1...30).map { $0 == 3 ? "null" : Self.item($0, $0.isMultiple(of: 2) ? "title: 7" : "page: ''") }
        let faults = try page("{ items: [\(items.joined(separator: ","))], total: -1 }").faults
        #expect(faults.map(\.path) == ["items[0].page", "items[1].title", "items[2]", "total"])
        #expect(faults.map(\.count) == [14, 15, 1, 1])
    }

    @Test func kindsAreBoundedAsTheirNamesAre() throws {
        let stats = (1...500).map { "n\($0)x: 'x'" } + ["\("y".repeated(10_000)): 'x'", "good: 1"]
        let (page, faults) = try page("{ items: [\(Self.item(1, "stats: { \(stats.joined(separator: ",")) }"))] }")
        #expect(page.items[0].stats.map(\.name) == ["good"])
        #expect(faults.count == ResultFault.maximumKinds)
        #expect(faults.allSatisfy { $0.path.count <= ResultFault.maximumLength })
    }

    @Test(arguments: [
        // Of two items one may be odd, of three two; more than half of more may not.
        (1, 1, true), (1, 2, true), (1, 3, false), (3, 3, true), (3, 4, false), (10, 9, true), (10, 11, false),
        (0, 1, false), (0, 20, false),
    ])
    func pageMostOfWhichIsOddFails(_ good: Int, _ odd: Int, _ isRead: Bool) throws {
        let items = (0..<good).map { Self.item($0 + 1) } + Array(repeating: "{ id: 'x', type: 'image' }", count: odd)
        let text = "{ items: [\(items.joined(separator: ","))] }"
        if isRead {
            let (page, faults) = try page(text)
            #expect(page.items.count == good && faults.map(\.count) == [odd])
        } else {
            let fault = #expect(throws: ScriptFault.self) { try read(text) }
            guard case .violation(let violation) = try #require(fault) else { return }
            #expect(violation.text == "items[\(good)].media: expected an array of media, found undefined")
        }
    }

    @Test(arguments: [
        "{ items: {} }", "{}", "null", "{ items: [], next: NaN }", "{ items: [], totl: 7 }",
        "{ items: [], total: 7 }", "{ items: [{ id: 1, type: 'image', media: [], extra: { f() {} } }] }",
    ])
    func whatIsNoPageFails(_ text: String) { #expect(throws: ScriptFault.self) { try read(text) } }

    @Test func detailsLoseOddFieldsAndFailWithoutRequiredOnes() throws {
        let call = OperationCall.details(Item(provider: ProviderID("a")!, id: "1"))
        let result = try read(Self.item(1, "title: 7"), of: call)
        #expect(result.faults.map(\.path) == ["title"])
        #expect(throws: ScriptFault.self) { try read("{ id: '1', type: 'image' }", of: call) }
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
