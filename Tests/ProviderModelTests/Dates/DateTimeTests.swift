import Testing

@testable import ProviderModel

@Suite("Dates are read in every form that is allowed, and written in one")
struct DateTimeTests {
    @Test(arguments: [
        ("1994-11-06T08:49:37Z", 784_111_777), ("1994-11-06T10:49:37.484477+02:00", 784_111_777),
        ("1994-11-06T08:49:37,5", 784_111_777), ("1994-11-06T03:49:37-0500", 784_111_777),
        ("1994-11-06T03:49-05", 784_111_740), ("1970-01-01", 0), ("1969-12-31T23:59:59Z", -1),
        ("2024-02-29", 1_709_164_800), ("0001-01-01", -62_135_596_800),
    ])
    func isoDateIsRead(_ text: String, _ seconds: Int) {
        #expect(DateTime(iso8601: text)?.secondsSince1970 == seconds)
    }

    @Test(arguments: [
        "", "2024", "2024-05", "2023-02-29", "2024-13-01", "2024-05-01 12:00", "2024-05-01T25:00", "2024-05-01T12",
        "2024-05-01T12:00+", "2024-05-01T12:00:00.", "2024-05-01T12:00Zulu", "+024-05-01", "٢٠٢٤-05-01",
        "9999-12-31T24:00:00Z", "9999-12-31T20:00:00-05:00", "0000-01-01T00:00+14:00",
    ])
    func otherTextIsNoPointInTime(_ text: String) { #expect(DateTime(iso8601: text) == nil) }

    @Test(arguments: ["2024", "2024-05", "2024-02-31", "2024-05-01T24:00"])
    func shapeOfADateIsKnownWithoutTheCalendar(_ text: String) { #expect(ISO8601Date(text) != nil) }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "sun, 06 nov 1994 08:49:37 gmt",
    ])
    func httpDateIsRead(_ text: String) {
        #expect(DateTime(http: text, now: DateTime(secondsSince1970: 1_000_000_000))?.secondsSince1970 == 784_111_777)
    }

    @Test(arguments: [
        "0", "", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06-Nov-1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
        "Son, 06 Nov 1994 08:49:37 GMT", " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 +0000",
        "Sun, 06 Mov 1994 08:49:37 GMT", "Sun, 06 Nov -1 08:49:37 GMT", "Fri, 31 Dec 9999 23:59:60 GMT",
    ])
    func otherTextIsNoHTTPDate(_ text: String) { #expect(DateTime(http: text) == nil) }

    @Test func yearOfTwoDigitsIsTheNearest() {
        let now = DateTime(secondsSince1970: 1_800_000_000)  // 2027
        #expect(DateTime(http: "Sunday, 06-Nov-77 08:49:37 GMT", now: now)?.day.date.year == 2077)
        #expect(DateTime(http: "Sunday, 06-Nov-78 08:49:37 GMT", now: now)?.day.date.year == 1978)
    }

    @Test(arguments: [
        (784_111_777, "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
        (-1, "1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
        (951_782_400, "2000-02-29T00:00:00Z", "Tue, 29 Feb 2000 00:00:00 GMT"),
    ])
    func timeIsWritten(_ seconds: Int, _ iso: String, _ http: String) {
        let time = DateTime(secondsSince1970: seconds)
        #expect(time.iso8601 == iso && time.http == http)
    }

    @Test func everyDayOfManyYearsComesBack() {
        for number in stride(from: -730_000, to: 2_900_000, by: 97) {
            let (year, month, day) = CalendarDay(number: number).date
            guard (0...9_999).contains(year) else { continue }
            #expect(CalendarDay(year: year, month: month, day: day)?.number == number)
        }
    }
}
