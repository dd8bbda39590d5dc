import Foundation
import Testing

@testable import ProviderModel

@Suite("JSON is written piece by piece")
struct JSONWriterTests {
    @Test(arguments: [
        ("plain é 😀", #""plain é 😀""#), ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#),
        ("\u{0}\u{1f}\u{8}\u{7f}", "\"\\u0000\\u001f\\u0008\u{7f}\""), ("", "\"\""), ("\u{2028}", "\"\u{2028}\""),
    ])
    func textIsEscaped(_ text: String, _ json: String) throws {
        var writer = JSONWriter()
        writer.value(text)
        #expect(writer.text == json)
        #expect(try JSONDecoder().decode([String].self, from: Data("[\(json)]".utf8)) == [text])
    }

    /// What needs no escape is found for several bytes at a time.
    @Test(arguments: ["\"", "\\", "\n", "\u{1f}", "\u{0}", "é", "\u{7f}", "!", "#", "[", "]", " "])
    func textIsEscapedWhereverItHasToBe(_ letter: String) throws {
        for length in 0..<20 {
            for place in 0...length {
                let text = String(repeating: "a", count: place) + letter + String(repeating: "ÿ", count: length - place)
                var writer = JSONWriter()
                writer.value(text)
                writer.value(text + text)
                let read = try JSONDecoder().decode([String].self, from: Data("[\(writer.text)]".utf8))
                #expect(read == [text, text + text])
            }
        }
    }

    @Test func stringIsAddedToWhatIsThere() {
        var text = Array("[1,\n".utf8)
        Array("a\"b\n".utf8).withUnsafeBufferPointer { JSONWriter.quote($0, to: &text) }
        #expect(
            String(decoding: text, as: UTF8.self) == #"""
                [1,
                "a\"b\n"
                """#)
    }

    @Test(arguments: [
        (0, "0"), (-1.5, "-1.5"), (1e15, "1000000000000000"), (1e21, "1e+21"), (123_456_789, "123456789"), (0.1, "0.1"),
        (.infinity, "null"), (.nan, "null"), (-0.0, "0"),
    ])
    func numberIsAsShortAsCanBe(_ number: Double, _ json: String) {
        var writer = JSONWriter()
        writer.value(number)
        #expect(writer.text == json)
    }

    @Test func membersAndElementsAreSeparated() {
        var writer = JSONWriter()
        writer.object { json in
            json.member("a", 1)
            json.member("absent", nil as String?)
            json.name("b")
            json.array([1, 2]) { json, value in json.object { $0.member("c", value) } }
            json.name("d")
            json.object { _ in }
            json.name("e")
            json.array([Int]()) { $0.value($1) }
            json.name("f")
            json.value(true)
            json.member("g\"", "h")
        }
        #expect(writer.text == #"{"a":1,"b":[{"c":1},{"c":2}],"d":{},"e":[],"f":true,"g\"":"h"}"#)
    }
}
