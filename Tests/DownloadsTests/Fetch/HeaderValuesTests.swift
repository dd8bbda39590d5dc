import HTTPTransport
import HTTPTypes
import Testing

@testable import Downloads

@Suite struct HeaderValuesTests {
    @Test(
        arguments: [
            (["ETag": "\"a\""], "\"a\""), (["ETag": "W/\"a\""], nil), (["ETag": "bare"], nil),
            (
                [
                    "ETag": "W/\"a\"", "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT",
                    "Date": "Tue, 02 Jan 2024 00:00:00 GMT",
                ], nil
            ),
            (
                ["Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT", "Date": "Tue, 02 Jan 2024 00:00:00 GMT"],
                "Mon, 01 Jan 2024 00:00:00 GMT"
            ),
            (["Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT", "Date": "Mon, 01 Jan 2024 00:00:59 GMT"], nil),
            (["Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"], nil), ([:], nil),
        ] as [([String: String], String?)])
    func onlyStrongValidatorsHoldPartsTogether(_ lines: [String: String], _ text: String?) {
        var headers = HTTPFields()
        for (name, value) in lines { headers[HTTPField.Name(name)!] = value }
        #expect(RangeValidator(headers)?.text == text)
    }

    @Test(arguments: [
        ("aGVsbG8=", "hello"), ("aGVsbG8", "hello"), ("", ""), ("/+8=", "\u{fffd}\u{fffd}"),
    ])
    func base64IsDecoded(_ text: String, _ decoded: String) {
        #expect(Base64Text.decode(text).map { String(decoding: $0, as: UTF8.self) } == decoded)
    }

    @Test func strongestDigestIsTaken() {
        var headers = HTTPFields()
        let digest = String(repeating: "A", count: 43) + "="
        headers[HTTPField.Name("Repr-Digest")!] = "md5=:AAAAAAAAAAAAAAAAAAAAAA==:, unixsum=:AA==:, sha-256=:\(digest):"
        headers[HTTPField.Name("Content-MD5")!] = "nonsense!"
        #expect(PromisedDigest.strongest(in: headers, isWhole: true)?.algorithm == .sha256)
        headers[HTTPField.Name("Repr-Digest")!] = "sha-256=:AAAA:"
        #expect(PromisedDigest.strongest(in: headers, isWhole: true) == nil)
    }
}
