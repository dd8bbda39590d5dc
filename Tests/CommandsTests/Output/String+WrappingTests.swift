import Testing

@testable import Commands

struct StringWrappingTests {
    @Test(arguments: [
        ("", [""]),
        ("one two", ["one two"]),
        ("one two three four", ["one two", "three four"]),
        ("exactly ten chars", ["exactly", "ten chars"]),
        ("incomprehensibilities", ["incomprehe", "nsibilitie", "s"]),
        ("an incomprehensibility", ["an", "incomprehe", "nsibility"]),
        ("咖啡館的早晨很美", ["咖啡館的早", "晨很美"]),
        ("咖啡館的早，晨", ["咖啡館的", "早，晨"]),
        ("a 👩‍👩‍👧‍👦 👩‍👩‍👧‍👦 👩‍👩‍👧‍👦 b", ["a 👩‍👩‍👧‍👦 👩‍👩‍👧‍👦 👩‍👩‍👧‍👦", "b"]),
    ])
    func linesBreakWhereReadersExpect(text: String, expected: [String]) {
        let lines = text.wrapped(to: 10)
        #expect(lines == expected)
        #expect(lines.allSatisfy { $0.displayWidth <= 10 })
    }

    @Test func addressesAndPathsStayWhole() {
        #expect(
            "get one at https://pixabay.com/api/ today".wrapped(to: 12) == [
                "get one at", "https://pixabay.com/api/", "today",
            ])
    }
}
