import Testing

@testable import Commands

@Suite("Rows are chosen by their numbers")
struct SelectionAnswerTests {
    @Test(arguments: [
        ("1,3-5", [0, 2, 3, 4]), ("3 1", [0, 2]), (" 2 , 2,1-2 ", [0, 1]), ("all", Array(0..<6)), ("A", Array(0..<6)),
        ("none", []), ("", []), ("  ", []), ("5-", [4, 5]), ("-2", [0, 1]), ("6", [5]),
    ])
    func answerNamesRows(text: String, places: [Int]) throws {
        #expect(try SelectionAnswer(text, of: 6).places == places)
    }

    @Test(arguments: [
        ("7", "there is no row 7 (expected numbers from 1 to 6 such as 1,3-5, all or none)"),
        ("0", "there is no row 0 (expected numbers from 1 to 6 such as 1,3-5, all or none)"),
        ("2-9", "there is no row 9 (expected numbers from 1 to 6 such as 1,3-5, all or none)"),
        ("x", "found \"x\" (expected numbers from 1 to 6 such as 1,3-5, all or none)"),
        ("1,-", "found \"-\" (expected numbers from 1 to 6 such as 1,3-5, all or none)"),
        ("1-2-3", "found \"1-2-3\" (expected numbers from 1 to 6 such as 1,3-5, all or none)"),
        (
            "99999999999999999999",
            "found \"99999999999999999999\" (expected numbers from 1 to 6 such as 1,3-5, all or none)"
        ),
        ("5-2", "\"5-2\" runs backwards (expected 2-5)"),
    ])
    func otherAnswerSaysWhatIsExpected(text: String, fault: String) {
        #expect(throws: SelectionAnswer.Fault(description: fault)) { try SelectionAnswer(text, of: 6) }
    }
}
