import HTTPTransport
import HTTPTypes
import ProviderModel
import Testing

@testable import RateLimits

@Suite struct RateLimitFeedbackTests {
    private let now = Timestamp.start

    private func feedback(_ lines: [(String, String)], status: Int = 200, limits: Limits = .of()) -> RateLimitFeedback {
        var headers = HTTPFields()
        for (name, value) in lines { headers.append(HTTPField(name: HTTPField.Name(name)!, value: value)) }
        let response = TransportResponse(
            status: status, url: try! WebURL("https://images.example/"), headers: headers)
        return RateLimitFeedback(response, limits: limits, at: now) ?? RateLimitFeedback()
    }

    private func later(_ seconds: Int) -> Timestamp { now + .seconds(seconds) }

    @Test func threeUsualLines() {
        let lines = [("X-RateLimit-Limit", "100"), ("X-RateLimit-Remaining", "98"), ("X-RateLimit-Reset", "40")]
        let expected = ServerQuota(limit: 100, remaining: 98, reset: later(40))
        #expect(feedback(lines).quotas == [expected])
        #expect(feedback(lines.map { ($0.0.lowercased(), $0.1) }).quotas == [expected])
        #expect(feedback(lines, limits: .of(reset: "x-ratelimit-reset", unit: .seconds)).quotas == [expected])
    }

    @Test(arguments: [
        ("1795244440", Limits.ResetUnit.unix), ("2026-11-21T07:00:40.25Z", .iso), ("40", .seconds),
    ])
    func resetInTheDeclaredUnit(text: String, unit: Limits.ResetUnit) {
        let lines = [("x-ratelimit-remaining", "299"), ("x-ratelimit-reset", text)]
        let quotas = feedback(lines, limits: .of(reset: "X-RateLimit-Reset", unit: unit)).quotas
        #expect(quotas == [ServerQuota(remaining: 299, reset: later(40))])
    }

    @Test func declaredHeaderOfAnotherName() {
        let lines = [("x-ratelimit-remaining", "0"), ("x-window-ends", "40")]
        let quotas = feedback(lines, limits: .of(reset: "x-window-ends", unit: .seconds)).quotas
        #expect(quotas == [ServerQuota(remaining: 0, reset: later(40))])
    }

    @Test func numbersWithDecimals() {
        let quotas = feedback([
            ("x-ratelimit-remaining", "81.9"), ("x-ratelimit-reset", "65"), ("x-ratelimit-used", "519"),
        ])
        .quotas
        #expect(quotas == [ServerQuota(remaining: 81, reset: later(65))])
    }

    @Test func scopesAreLimitsOfTheirOwn() {
        let lines = [
            ("x-ratelimit-limit-anon_burst", "20/min"), ("x-ratelimit-available-anon_burst", "19"),
            ("x-ratelimit-limit-anon_sustained", "200/day"), ("x-ratelimit-available-anon_sustained", "0"),
        ]
        #expect(
            feedback(lines).quotas == [
                ServerQuota(scope: "anon_burst", limit: 20, remaining: 19, window: .seconds(60)),
                ServerQuota(scope: "anon_sustained", limit: 200, remaining: 0, window: .seconds(86_400)),
            ])
        let users = [
            ("X-RateLimit-UserLimit", "500"), ("X-RateLimit-UserRemaining", "3"),
            ("X-RateLimit-UserReset", "1795244440"),
            ("X-RateLimit-ClientRemaining", "12000"),
        ]
        #expect(
            feedback(users).quotas == [
                ServerQuota(scope: "client", remaining: 12_000),
                ServerQuota(scope: "user", limit: 500, remaining: 3, reset: later(40)),
            ])
        let windows = [("X-RateLimit-Remaining-Minute", "4"), ("X-RateLimit-Limit-Minute", "10")]
        #expect(
            feedback(windows).quotas == [
                ServerQuota(scope: "minute", limit: 10, remaining: 4, window: .seconds(60))
            ])
    }

    @Test(arguments: [
        ([("RateLimit", "\"default\";r=50;t=30")], ServerQuota(scope: "default", remaining: 50, reset: nil)),
        (
            [("RateLimit-Policy", "\"default\";q=100;w=60"), ("RateLimit", "\"default\";r=50;t=30")],
            ServerQuota(scope: "default", limit: 100, remaining: 50, window: .seconds(60))
        ),
        (
            [("ratelimit-policy", "100;w=60"), ("ratelimit", "limit=100, remaining=50, reset=30")],
            ServerQuota(limit: 100, remaining: 50, window: .seconds(60))
        ),
        (
            [("RateLimit-Limit", "100"), ("RateLimit-Remaining", "50"), ("RateLimit-Reset", "30")],
            ServerQuota(limit: 100, remaining: 50)
        ),
        (
            [
                ("RateLimit-Limit", "100, 100;w=60, 5000;w=3600"), ("RateLimit-Remaining", "50"),
                ("RateLimit-Reset", "30"),
            ],
            ServerQuota(limit: 100, remaining: 50, window: .seconds(60))
        ),
    ])
    func fieldsOfTheDraftsInTheirForms(lines: [(String, String)], expected: ServerQuota) {
        var expected = expected
        expected.reset = later(30)
        #expect(feedback(lines).quotas == [expected])
    }

    @Test func severalItemsOfOneField() {
        let field = "\"burst, fast\";r=5;t=1 , daily;r=900;t=4000;pk=:dGVzdA==:"
        #expect(
            feedback([("RateLimit", field)]).quotas == [
                ServerQuota(scope: "burst, fast", remaining: 5, reset: later(1)),
                ServerQuota(scope: "daily", remaining: 900, reset: later(4_000)),
            ])
    }

    @Test(arguments: [
        "", ";;;", "\"", "\"default\"", "\"default\";r", "\"default\";r=;t=", "=,=,=", "limit=,remaining=",
        "\"default\";r=abc;t=30", String(repeating: ",", count: 100_000),
    ])
    func brokenFieldsSayNothing(value: String) {
        #expect(feedback([("RateLimit", value), ("RateLimit-Policy", value)]).quotas.isEmpty)
    }

    @Test func absurdNumbersAreNoNumbers() {
        let lines = [("X-RateLimit-Remaining", "99999999999999999999999"), ("X-RateLimit-Reset", "-1")]
        #expect(feedback(lines) == RateLimitFeedback())
        #expect(feedback([("X-RateLimit-Remaining", "-3")]).quotas == [ServerQuota(remaining: 0)])
    }

    @Test func repeatedLinesCountAsTheStricter() {
        #expect(
            feedback([("X-RateLimit-Remaining", "9"), ("X-RateLimit-Remaining", "4")]).quotas.map(\.remaining) == [4])
    }

    @Test func numberOfLimitsIsBounded() {
        let lines = (0..<500).map { ("X-RateLimit-Remaining-s\($0)", "1") }
        #expect(feedback(lines).quotas.count == RateLimitFeedback.scopeLimit)
    }

    @Test func responseOfASharedCacheHasTheLimitsOfOthers() {
        #expect(feedback([("X-RateLimit-Remaining", "0"), ("Age", "12")]) == RateLimitFeedback())
        #expect(feedback([("X-RateLimit-Remaining", "0"), ("Age", "0")]).quotas.count == 1)
    }

    @Test(
        arguments: [
            (429, [], true), (403, [("X-RateLimit-Remaining", "0")], true), (403, [("Retry-After", "5")], true),
            (403, [("X-RateLimit-Remaining", "7")], false), (403, [], false), (503, [("Retry-After", "5")], true),
            (503, [], false), (200, [("X-RateLimit-Remaining", "0")], false), (301, [("Retry-After", "5")], false),
        ] as [(Int, [(String, String)], Bool)])
    func refusals(status: Int, lines: [(String, String)], expected: Bool) {
        #expect(feedback(lines, status: status).isRefusal == expected)
    }

    @Test(arguments: [
        ("30", 30), ("0", 1), ("Sat, 21 Nov 2026 07:00:30 GMT", 30), ("Sat, 21 Nov 2020 07:00:30 GMT", 1),
        ("999999999999", 86_400), ("99999999999999999999999999", 86_400), ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
    ])
    func pauseIsWithinReason(value: String, seconds: Int) {
        let answer = feedback([("Retry-After", value), ("X-RateLimit-Reset", "50")], status: 429)
        #expect(answer.wait(at: now) == .seconds(seconds))
    }

    @Test func withoutRetryAfterTheExhaustedLimitSaysWhen() {
        let lines = [
            ("X-RateLimit-Remaining-Minute", "3"), ("X-RateLimit-Reset-Minute", "9"),
            ("X-RateLimit-Remaining-Hour", "0"), ("X-RateLimit-Reset-Hour", "800"),
        ]
        #expect(feedback(lines, status: 429).wait(at: now) == .seconds(800))
        #expect(feedback([("X-RateLimit-Reset", "1795244409")], status: 429).wait(at: now) == .seconds(9))
        #expect(feedback([("X-RateLimit-Remaining", "3")], status: 429).wait(at: now) == nil)
        #expect(feedback([("Retry-After", "soon")], status: 429).wait(at: now) == nil)
    }
}
