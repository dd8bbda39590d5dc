import ProviderModel
import Testing

@testable import ScriptEngine

@Suite("Names are found by their bytes")
struct NameTableTests {
    @Test func everyFieldIsFoundByItsNameAndByNoOther() {
        for field in MediaField.allCases {
            #expect(found(field.rawValue) == field)
            #expect(found(field.rawValue + "x") == nil)
            #expect(found(String(field.rawValue.dropLast())) == nil)
            #expect(found(field.rawValue.uppercased()) == nil)
        }
        for other in ["", "u", "ürl", "watermarkedwatermarked", String(repeating: "w", count: 300)] {
            #expect(found(other) == nil)
        }
    }

    @Test func unknownNamesAreKeptAsTheyAre() throws {
        let item = try TestEngine().read(
            #"""
            { id: '1', type: 'image', media: [], '': 1, 'a"b': 2, 'ä ö': '\u0001\\', 'a name of more than sixteen': [{}],
              author: { name: 'Ann', 'x y': 3 }, extra: { 'k"': 'v', nothing: null, nested: { '}': ']' } } }
            """#
        ) { reader throws(ContractViolation) in try reader.item() }
        #expect(
            item.extra?.description
                == #"{"[“”]":1,"[“a\"b”]":2,"[“ä ö”]":"\u0001\\","[“a name of more than sixteen”]":[{}],"#
                + #""author[“x y”]":3,"k\"":"v","nested":{"}":"]"}}"#)
    }

    @Test(arguments: [
        "{ id: '1', type: 'image', media: [], '\\ud800': 1 }",
        "{ id: '1', type: 'image', media: [], extra: { 'a\\ud800': 1 } }",
        "{ id: '1', type: 'image', media: [], extra: { a: ['\\udc00'] } }",
        "{ id: '1', type: 'image', media: [], other: { '\\ud800': 1 } }",
    ])
    func halfACharacterIsFoundInWhatIsOnlyPassedOn(_ item: String) {
        let message = violation {
            _ = try TestEngine().read(item) { reader throws(ContractViolation) in try reader.item() }
        }
        #expect(message.contains("expected whole characters, found a lone surrogate"))
    }

    private func found(_ name: String) -> MediaField? {
        var name = name
        return name.withUTF8 { MediaField.names.value(named: $0) }
    }
}
