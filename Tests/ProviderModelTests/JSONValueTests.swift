import ProviderModel
import Testing

@Suite("JSON keeps its source text")
struct JSONValueTests {
    @Test(arguments: [
        (#"{"b":1,"a":[1.0,-2e3,0]}"#, #"{"b":1,"a":[1.0,-2e3,0]}"#),
        (#" [ true , false , null ] "#, "[true,false,null]"),
        (#""\u00e9\n\ud83d\ude00\/""#, #""é\n😀/""#),
        ("{}", "{}"), ("[[],{}]", "[[],{}]"), ("\u{FEFF}1", "1"),
    ])
    func orderAndLiteralsAreKept(_ text: String, _ compact: String) throws {
        #expect(try JSONValue(parsing: text.utf8).compact == compact)
    }

    @Test(arguments: [
        ("", "a value at byte 0"), ("{", "a member's name at byte 1"), (#"{"a" 1}"#, "\":\" at byte 5"),
        ("[1 2]", "\",\" or \"]\""),
        ("01", "a value"), ("+1", "a value"), ("1.", "a value"), ("nul", "null"), ("[1]x", "the end at byte 3"),
        (#""\ud83d""#, "both halves"), (#""\x""#, "an escape"), ("\"a", "the string's end"), ("\"\n\"", "control"),
        (String(repeating: "[", count: 600), "more than 512 levels"),
    ])
    func whatIsNoJSONIsReported(_ text: String, _ reason: String) {
        let error = #expect(throws: InvalidJSON.self) { try JSONValue(parsing: text.utf8) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func prettyHasOneMemberToALine() throws {
        let json = try JSONValue(parsing: #"{"a":[],"b":{"c":[1,{"d":"e\"f"}]},"g":{}}"#.utf8)
        #expect(
            json.pretty == """
                {
                  "a": [],
                  "b": {
                    "c": [
                      1,
                      {
                        "d": "e\\"f"
                      }
                    ]
                  },
                  "g": {}
                }
                """)
    }
}
