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
        ("https://api.made.example/", #"{"text":"x"}"#, 0, "it has no answer"),
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
    func anotherFileIsToldOfWithThePlace(_ text: String, _ message: String) {
        #expect(throws: InvalidJSON(description: message)) { try HARArchive(parsing: Array(text.utf8), hosts: hosts) }
    }

    @Test func credentialsThatAnAnswerRepeatsAreMasked() throws {
        let read = try archive([
            exchange("https://api.made.example/search?key=open-sesame", content: #"{"text":"you are open-sesame"}"#)
        ])
        #expect(read.entries.map { String(decoding: $0.content, as: UTF8.self) } == ["you are ***"])
    }
}
