import Testing

@testable import HTTPTransport

@Suite struct HeaderTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
    ])
    func datesAreRead(text: String, seconds: Int) {
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test(arguments: [
        "", "now", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "1994-11-06",
    ])
    func otherTextIsNoDate(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }

    @Test func twoDigitYearIsTheNearest() {
        let in2026 = 1_790_000_000
        #expect(HTTPDate.seconds("Friday, 06-Nov-26 08:49:37 GMT", now: in2026) == 1_793_954_977)
        #expect(HTTPDate.seconds("Sunday, 06-Nov-94 08:49:37 GMT", now: in2026) == 784_111_777)
    }
}
