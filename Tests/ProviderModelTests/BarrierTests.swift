import ProviderModel
import Testing

/// What stands between a program and a source, as its answers show it.
struct BarrierTests {
    private func barrier(
        _ status: Int, _ headers: [(name: String, value: String)] = [], _ body: String = "", expectsPage: Bool = false
    ) -> Barrier? {
        Barrier(status: status, headers: headers, body: Array(body.utf8), expectsPage: expectsPage)
    }

    private static let html = [(name: "Content-Type", value: "text/html; charset=utf-8")]

    @Test(arguments: [
        (403, "CF-Mitigated", "challenge"), (503, "cf-mitigated", "challenge"), (200, "cf-mitigated", "challenge"),
        (202, "x-amzn-waf-action", "challenge"), (405, "X-Amzn-Waf-Action", "captcha"), (403, "Server", "DDoS-Guard"),
        (403, "X-DataDome", "protected"),
    ])
    func challengeIsKnownByItsHeader(_ status: Int, _ name: String, _ value: String) {
        for expectsPage in [true, false] {
            #expect(barrier(status, [(name, value)], expectsPage: expectsPage) == .challenge)
        }
    }

    @Test(arguments: [
        "<!DOCTYPE html><title>Just a moment...</title><script>window._cf_chl_opt={}</script>",
        "<html><head><title>Attention Required! | Cloudflare</title>",
        "<html><script src=\"https://ct.captcha-delivery.com/c.js\">",
        "<html><div id=\"px-captcha\">", "<html><iframe src=\"/_Incapsula_Resource?x\">",
        "<!doctype html><title>Making sure you&#39;re not a bot!</title>",
    ])
    func challengeIsKnownByItsPage(_ page: String) {
        for status in [403, 429, 503] {
            #expect(barrier(status, Self.html, page) == .challenge)
            #expect(barrier(status, Self.html, page, expectsPage: true) == .challenge)
        }
        #expect(barrier(200, Self.html, page) == .challenge)
        // A page that was asked for may speak of challenges.
        #expect(barrier(200, Self.html, page, expectsPage: true) == nil)
        #expect(barrier(403, [("Content-Type", "application/json")], "{\"page\": \"\(page)\"}") == nil)
    }

    @Test(arguments: [
        "Content not available in your region.", "{\"error\": \"This content is unavailable in your country\"}",
        "<html><p>Not Viewable In This Region</p>",
    ])
    func regionIsKnownByItsWords(_ body: String) {
        #expect(barrier(403, [], body) == .region)
        #expect(barrier(400, Self.html, body, expectsPage: true) == .region)
        #expect(barrier(200, [], body) == nil)
    }

    @Test func pageInPlaceOfDataIsOfAGateway() {
        let page = "<html><h1>403 Forbidden</h1><p>Request blocked.</p></html>"
        #expect(barrier(403, Self.html, page) == .page)
        #expect(barrier(403, [], page) == .page)
        #expect(barrier(403, Self.html, page, expectsPage: true) == nil)
        #expect(barrier(403, [("Content-Type", "application/json")], "{\"error\": \"login\"}") == nil)
    }

    @Test func plainRefusalsAreTheSources() {
        #expect(barrier(429, Self.html, "<html><h1>429 Too Many Requests</h1></html>") == nil)
        #expect(barrier(429, Self.html, "<html><script>prove()</script></html>") == .challenge)
        #expect(barrier(503, Self.html, "<html><script>track()</script>Maintenance</html>") == nil)
        #expect(barrier(404, [("Server", "cloudflare")], "<html>") == nil)
        #expect(barrier(403) == nil)
    }
}
