import ProviderTesting
import Testing

@Suite("Drift of shapes")
struct ShapeDriftTests {
    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":2}"#, []), (#"{"a":1}"#, "{}", ["$.a is gone (number)"]),
        ("{}", #"{"a":{"b":1}}"#, ["$.a is new (object)"]), (#"{"a":1}"#, #"{"a":"1"}"#, ["$.a was number, is string"]),
        (#"{"a":null}"#, #"{"a":"1"}"#, []), (#"{"a":"1"}"#, #"{"a":null}"#, ["$.a was string, is null"]),
        (#"{"a":{"b":{"c":1}}}"#, #"{"a":{}}"#, ["$.a.b is gone (object)"]),
        (#"{"a":[{"b":1,"c":1}]}"#, #"{"a":[{"b":2},{"b":3}]}"#, ["$.a[].c is gone (number)"]),
        (#"{"a":[{"b":1},{"b":1,"c":1}]}"#, #"{"a":[{"b":2}]}"#, []),
        (#"{"a":[{"b":1}]}"#, #"{"a":[]}"#, []), (#"{"a":[]}"#, #"{"a":[{"b":1}]}"#, []),
        (#"{"a":[{"b":1}]}"#, #"{"a":[{"b":1,"d e":[1]}]}"#, ["$.a[]['d e'] is new (array)"]),
        (#"{"pages":{"12":{"x":1}}}"#, #"{"pages":{"99":{"x":2},"7":{"x":3}}}"#, []),
        (#"{"a":[1]}"#, #"{"a":["1"]}"#, ["$.a[] was number, is string"]), ("[1]", "{}", ["$ was array, is object"]),
    ])
    func changesArePathsWithKinds(_ recorded: String, _ live: String, _ changes: [String]) throws {
        let drift = try #require(ShapeDrift(from: Array(recorded.utf8), to: Array(live.utf8)))
        #expect(drift.changes.map(\.description) == changes)
    }

    @Test func whatIsNoJSONHasNoShape() { #expect(ShapeDrift(from: Array("<p>".utf8), to: Array("{}".utf8)) == nil) }
}
