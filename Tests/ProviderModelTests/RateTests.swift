import ProviderModel
import Testing

@Suite("A rate is requests in a time")
struct RateTests {
    @Test(arguments: [
        ("100/60s", 100, 60), ("50/1h", 50, 3_600), ("200/1d", 200, 86_400), ("5/10m", 5, 600),
        ("1/9999d", 1, 863_913_600),
    ])
    func rateIsRead(_ text: String, requests: Int, seconds: Int) throws {
        let rate = try #require(Limits.Rate(text))
        #expect(rate.requests == requests)
        #expect(rate.seconds == seconds)
        #expect(rate.description == text)
    }

    @Test(arguments: [
        "", "100", "100/", "/60s", "100/60", "100/s", "0/60s", "-1/60s", "100/0s", "100/-1s", "100/60w", "1/2/3s",
        "100 / 60s", "1.5/1s", "100/10000d", "99999999999999999999/1s",
    ])
    func otherTextIsNone(_ text: String) {
        #expect(Limits.Rate(text) == nil)
    }

    @Test(arguments: [(1, 3), (3, 3), (20, 20), (200, 200), (201, 200), (-5, 3)])
    func pageSizeIsBroughtWithin(_ wanted: Int, _ expected: Int) {
        #expect(Limits.PageSize(minimum: 3, maximum: 200, default: 20).clamp(wanted) == expected)
    }
}
