import HTTPTypes
import ProviderModel
import ProviderTesting
import Testing

@Suite("What must not lie in a file")
struct CassetteRedactionTests {
    private static let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"

    @Test(arguments: [
        (#"{"access_token":"abc","name":"x"}"#, #"{"access_token":"***","name":"x"}"#),
        (#"{"user":{"email":"anna@a.example","name":"Anna"}}"#, #"{"user":{"email":"***","name":"Anna"}}"#),
        (#"{"token":"abc","expires_in":60}"#, #"{"token":"***","expires_in":60}"#),
        (#"{"token":"abc","items":[]}"#, #"{"token":"abc","items":[]}"#),
        (#"{"id":"9","secret":"0a1b2c","server":"7"}"#, #"{"id":"9","secret":"0a1b2c","server":"7"}"#),
        (#"{"key":"k","secret":"0a1b2c"}"#, #"{"key":"k","secret":"***"}"#),
        (#"{"nextPageToken":"abc"}"#, #"{"nextPageToken":"abc"}"#),
        (
            #"{"url":"https://a.example/?size=2&access_token=abc&x=1"}"#,
            #"{"url":"https://a.example/?size=2&access_token=***&x=1"}"#
        ),
        (#"{"url":"https://a.example/f.png?token=\#(token)"}"#, #"{"url":"https://a.example/f.png?token=***"}"#),
        (#"<a href="mailto:anna@a.example">write</a>"#, #"<a href="mailto:***">write</a>"#),
        (#"<script>key = "AIzaSyA1234567890abcdefghijklmnopqrstuv"</script>"#, #"<script>key = "***"</script>"#),
        ("Authorization: Bearer abcdef0123456789abc", "Authorization: Bearer ***"),
        ("the bearer of good news", "the bearer of good news"), ("anna@social.example", "anna@social.example"),
        ("password=open-sesame&a=1", "password=***&a=1"),
        (#"<script>window.apiKey = 'abcdef012345';</script>"#, #"<script>window.apiKey = '***';</script>"#),
        (#"x={\"csrfToken\":\"abcdef012345\"}"#, #"x={\"csrfToken\":\"***\"}"#),
        (
            #"<input name="authenticity_token" type="hidden" value="abcdef012345">"#,
            #"<input name="authenticity_token" type="hidden" value="***">"#
        ),
        (#"<meta content='abcdef012345' name='csrf-token'>"#, #"<meta content='***' name='csrf-token'>"#),
        (#"var __TOKEN = "abcdef0123456789";"#, #"var __TOKEN = "***";"#),
        (#"<input name="q" value="abcdef012345">"#, #"<input name="q" value="abcdef012345">"#),
        (#"password: "Enter your password 1""#, #"password: "Enter your password 1""#),
        (#"apiKey: '{key12345}'"#, #"apiKey: '{key12345}'"#),
        (#"{ "a" : 1 }"#, #"{ "a" : 1 }"#),
    ])
    func bodiesAreMasked(_ body: String, _ expected: String) {
        #expect(String(decoding: CassetteRedaction().content(Array(body.utf8)), as: UTF8.self) == expected)
    }

    @Test(arguments: [
        ("https://a.example/?key=abc&q=x", "https://a.example/?q=x"),
        ("https://a.example/?key=abc", "https://a.example/"),
        ("https://a.example/?q=x&api_key=abc", "https://a.example/?q=x&api_key=***"),
        ("https://a.example/x?q=%26", "https://a.example/x?q=%26"),
    ])
    func urlsLoseTheirCredentials(_ url: String, _ expected: String) throws {
        #expect(CassetteRedaction(pairNames: ["key"]).url(try WebURL(url)).description == expected)
    }

    @Test(arguments: [
        ("link", "<https://a.example/?page=2>; rel=\"next\"", true), ("x-ratelimit-remaining", "99", true),
        ("retry-after", "30", true), ("content-type", "application/json", true),
        ("etag", "\"0123456789abcdef0123\"", true),
        ("cache-control", "max-age=60", true), ("x-total-count", "23", true), ("x-next-cursor", "abc", true),
        ("date", "Sat, 21 Nov 2026 08:00:00 GMT", false), ("server", "nginx", false), ("set-cookie", "a=b", false),
        ("cf-ray", "abc", false), ("x-request-id", "abc", false), ("age", "12", false), ("via", "1.1 a", false),
        ("x-made-trace", "6f1c2a9e-7b30-4c51-9f11-0a2b3c4d5e6f", false),
    ])
    func onlyHeadersThatStayTheSameAreKept(_ name: String, _ value: String, _ isKept: Bool) {
        let kept = CassetteRedaction().headers([HTTPField.Name(name)!: value])
        #expect(kept.isEmpty == !isKept)
    }
}
