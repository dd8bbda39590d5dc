import ProviderAuthoring
import ProviderModel
import ProviderTesting
import Testing

@Suite("HAR archives")
struct HARArchiveTests {
    private let hosts = [HostPattern("api.made.example")!]

    private func exchange(
        _ url: String, method: String = "GET", content: String, post: String = "", status: Int = 200
    ) -> String {
        """
        {"startedDateTime":"2026-11-20T10:00:00.000Z","request":{"method":"\(method)","url":"\(url)"\(post)},
         "response":{"status":\(status),"headers":[{"name":":status","value":"200"},
           {"name":"content-type","value":"application/json"},{"name":"Set-Cookie","value":"sid=1"}],"content":\(content)}}
        """
    }

    private func archive(_ exchanges: [String]) throws -> HARArchive {
        let text = #"{"log":{"version":"1.2","entries":[\#(exchanges.joined(separator: ","))]}}"#
        return try HARArchive(parsing: Array(text.utf8), hosts: hosts, redaction: CassetteRedaction(pairNames: ["key"]))
    }

    @Test func exchangesBecomeEntriesWithoutSecrets() throws {
        let read = try archive([
            exchange("https://api.made.example/search?q=a&key=sesame", content: #"{"size":9,"text":"{\"a\":1}"}"#),
            exchange(
                "https://api.made.example/login", method: "POST", content: #"{"text":"aGk=","encoding":"base64"}"#,
                post: #","postData":{"params":[{"name":"a","value":"b c"}]}"#),
        ])
        #expect(read.omitted.isEmpty)
        #expect(
            read.entries.map(\.url.description) == [
                "https://api.made.example/search?q=a", "https://api.made.example/login",
            ])
        #expect(read.entries.map(\.headers.count) == [1, 1])
        #expect(read.entries.map { String(decoding: $0.content, as: UTF8.self) } == [#"{"a":1}"#, "hi"])
        #expect(String(decoding: read.entries[1].body, as: UTF8.self) == "a=b%20c")
        #expect(read.entries[0].recorded == CalendarDay("2026-11-20"))
    }

    @Test(arguments: [
        ("https://tracker.example/", #"{"text":"x"}"#, 200, "tracker.example is not among the provider's hosts"),
        ("https://api.made.example/", #"{"size":100}"#, 200, "its body is not in the archive"),
        ("https://api.made.example/", #"{"text":"x"}"#, 0, "it has no response"),
        ("ftp://a", #"{"text":"x"}"#, 200, "its URL is"),
    ])
    func whatIsLeftOutSaysWhy(_ url: String, _ content: String, _ status: Int, _ reason: String) throws {
        let read = try archive([exchange(url, content: content, status: status)])
        #expect(read.entries.isEmpty)
        #expect(read.omitted.map(\.index) == [0])
        #expect(read.omitted.first?.omission.description.hasPrefix(reason) == true, "\(read.omitted)")
    }

    @Test(arguments: [
        ("[]", "$: expected a HAR object with log.entries, found an empty list"),
        ("{}", "log: expected an object, found nothing"),
        (#"{"log":{"entries":3}}"#, "log.entries: expected a list, found 3"),
        (#"{"log":{"entries":[{"request":null}]}}"#, "log.entries[0].request: expected an object, found null"),
        (#"{"log":{"entries":[{"request":{"url":7}}]}}"#, "log.entries[0].request.url: expected a string, found 7"),
        (
            #"{"log":{"entries":[{"request":{"url":"https://api.made.example/"},"response":[]}]}}"#,
            "log.entries[0].response: expected an object, found an empty list"
        ),
    ])
    func anotherFileIsReportedWithThePlace(_ text: String, _ message: String) {
        #expect(throws: InvalidJSON(description: message)) { try HARArchive(parsing: Array(text.utf8), hosts: hosts) }
    }

    @Test func credentialsThatAnAnswerRepeatsAreMasked() throws {
        let read = try archive([
            exchange("https://api.made.example/search?key=open-sesame", content: #"{"text":"you are open-sesame"}"#)
        ])
        #expect(read.entries.map { String(decoding: $0.content, as: UTF8.self) } == ["you are ***"])
    }

    @Test func whatTheBrowserSentIsMaskedInRequestAndAnswer() throws {
        let sent = ["url-token-12345", "cookie-value-12", "header-value-12", "form-value-1234", "new-cookie-1234"]
        let url = "https://api.made.example/search?q=a&page=2&token=\(sent[0])&sig=short"
        let headers = #"[{"name":"Cookie","value":"sid=\#(sent[1])"},{"name":"X-App-Token","value":"\#(sent[2])"}]"#
        let form = #"{"text":"user=anna&pin=4711&password=\#(sent[3])"}"#
        let echo = sent.joined(separator: " ")
        let exchange = """
            {"request":{"method":"POST","url":"\(url)","headers":\(headers),"postData":\(form)},
             "response":{"status":200,"headers":[{"name":"set-cookie","value":"sid=\(sent[4]); Path=/"}],
               "content":{"text":"\(echo)"}}}
            """
        let entry = try #require(try archive([exchange]).entries.first)
        #expect(entry.url.description == "https://api.made.example/search?q=a&page=2&token=***&sig=***")
        #expect(String(decoding: entry.content, as: UTF8.self) == "*** *** *** *** ***")
        let body = String(decoding: entry.body, as: UTF8.self).replacing("%2A", with: "*")
        #expect(body == "password=***&pin=***&user=***")
    }

    @Test(arguments: ["H4sIAAAAAAAA/6tWKkstKs7Mz1OyUlAy1DMxtDC3sFTSUVBKzSspyixJVbJSqgUAJmYHPSEAAAA=", "//79/Pv6"])
    func bodyThatIsStillPackedIsLeftOut(_ base64: String) throws {
        let content = #"{"text":"\#(base64)","encoding":"base64"}"#
        let packed = exchange("https://api.made.example/", content: content).replacing(
            #"{"name":":status","value":"200"}"#, with: #"{"name":"Content-Encoding","value":"br"}"#)
        #expect(try archive([packed]).omitted.map(\.omission) == [.packedBody])
    }
}
