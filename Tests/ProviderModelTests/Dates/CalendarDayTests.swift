import ProviderModel
import Testing

@Suite("Days of the calendar")
struct CalendarDayTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2026-11-21", 20_778), ("1600-03-01", -135_080),
    ])
    func daysAreCountedFrom1970(_ text: String, _ number: Int) {
        #expect(CalendarDay(text)?.number == number)
        #expect(CalendarDay(text)?.description == text)
        #expect(CalendarDay(secondsSince1970: number * 86_400).number == number)
    }

    @Test(arguments: [
        "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-04-31", "24-01-01", "2024/01/01", "", "today",
    ])
    func daysThatDoNotExistAreNone(_ text: String) { #expect(CalendarDay(text) == nil) }

    @Test func theLastSecondOfADayBelongsToIt() {
        #expect(CalendarDay(secondsSince1970: 86_399).number == 0)
        #expect(CalendarDay(secondsSince1970: -1).number == -1)
    }
}
