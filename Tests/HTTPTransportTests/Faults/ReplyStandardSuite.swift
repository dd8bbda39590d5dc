import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

/// The answers that curl's test server gives to plain requests: odd heads, chunks, codings, and those that break off.
@Suite(.enabled(if: StandardSuite.has("curl+curl"), "IMGSCRIPT_SUITES names no folder with this suite"))
struct ReplyStandardSuite {
    @Test func answersAreReadAsCurlReadsThem() async throws {
        var suite = StandardSuite("curl, answers to plain requests", against: "the transport")
        for name in try suite.files(in: "curl+curl/tests/data") {
            let bytes = try suite.bytes(of: "curl+curl/tests/data/\(name)")
            guard String(decoding: bytes, as: UTF8.self).contains("HTTP GET"),
                let test = CurlTestFile(name, try Self.whole(bytes, in: suite)), !test.isOfLibrary,
                let path = test.command.wholeMatch(
                    of: /\s*(?:http:\/\/)?127\.0\.0\.1:%HTTPPORT(\/\S+)(?: --(?:tr-encoding|compressed|http0\.9))*\s*/),
                let reply = test.reply, let output = test.output
            else { continue }
            let server = try RawServer([.read, .send(reply)])
            defer { server.close() }
            let request = try server.request(String(path.1.prefix { $0 != "#" }))
            var found = "none"
            do {
                let response = try await CurlTransport(settings: .loopback()).send(request)
                found = response.body.elementsEqual(Self.body(of: output)) ? "as curl" : "another body"
            } catch let error as TransportError {
                found = error.message
            }
            let isRefused = !["none", "as curl", "another body"].contains(found)
            let passes = test.errorCode == 0 ? found == "as curl" : isRefused
            suite.note(passes, "\(name): curl \(test.errorCode): \(found)", exception: Self.exceptions[name])
        }
        #expect(suite.faults == [])
    }

    /// Reasons for which an answer is taken otherwise.
    private static let exceptions: [String: String] = {
        let reasons = [
            "Transfer-Encoding with other codings than chunked, which only answer a TE that is not sent": [
                1122, 1123, 1124, 1277,
            ],
            "HTTP/0.9, which curl reads only when told to": [66, 1266, 1267, 3025],
            "white space before the first field, which may be refused (RFC 9112 §2.2)": [1473],
            "codings around each other, by which a bomb passes every limit": [230],
            "a Content-Length beyond 64 bits, after which no end is certain (RFC 9112 §6.3)": [395],
            "a bare CR in a field, which is read as a space (RFC 9112 §2.2)": [2105],
            "5,001 fields, of which this takes 10,000": [747],
            "two Location fields, which count only in a redirect": [772],
        ]
        return Dictionary(
            uniqueKeysWithValues: reasons.flatMap { reason, tests in tests.map { ("test\($0)", reason) } })
    }()

    /// A case's file with the files that it includes.
    private static func whole(_ bytes: [UInt8], in suite: StandardSuite) throws -> [UInt8] {
        let mark = Array("%includetext %SRCDIR/data/".utf8)
        guard let start = bytes.firstRange(of: mark), let end = bytes[start.upperBound...].firstIndex(of: 0x0A) else {
            return bytes
        }
        let name = String(decoding: bytes[start.upperBound..<end].dropLast(), as: UTF8.self)
        guard !name.contains("%") else { return bytes }
        return try bytes[..<start.lowerBound] + suite.bytes(of: "curl+curl/tests/data/\(name)") + bytes[(end + 1)...]
    }

    /// An answer's body, behind its last head.
    private static func body(of answer: [UInt8]) -> ArraySlice<UInt8> {
        var rest = answer[...]
        while rest.starts(with: "HTTP/".utf8) {
            let ends = [[0x0D, 0x0A, 0x0D, 0x0A], [0x0A, 0x0A], [0x0A, 0x0D, 0x0A]].compactMap {
                rest.firstRange(of: $0 as [UInt8])
            }
            guard let end = ends.min(by: { $0.lowerBound < $1.lowerBound }) else { return [] }
            let isInformational = rest.dropFirst(9).first == UInt8(ascii: "1")
            rest = rest[end.upperBound...]
            if !isInformational { break }
        }
        return rest
    }
}
