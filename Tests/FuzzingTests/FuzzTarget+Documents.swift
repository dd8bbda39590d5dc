import Foundation
import HTTPTransport
import ProviderModel
import ProviderTesting

@testable import Packs
@testable import ProviderAuthoring
@testable import ProviderRuntime

/// Documents that people and servers hand over.
extension FuzzTarget {
    static func readJSON(_ bytes: [UInt8]) throws(BrokenPromise) {
        let value = try? JSONValue(parsing: bytes)
        try require(
            value != nil || !isJSON(bytes) || hasTrailingComma(bytes), "what Foundation takes for JSON is read")
        guard let value else { return }
        try require((try? JSONValue(parsing: value.compact.utf8)) == value, "JSON that is written reads the same")
        try require((try? JSONValue(parsing: value.pretty.utf8)) == value, "JSON in lines reads the same")
        try require(
            isJSON(Array(value.compact.utf8)) || hasNumberBeyondDouble(value), "Foundation reads what is written")
        if let text = String(validating: bytes, as: UTF8.self), text.unicodeScalars.first != "\u{feff}" {
            try require(JSONText(text) != nil, "JSON that is read can be kept as a text")
        }
        var reader = try? JSONReader(bytes)
        try? reader?.skipWithLoneSurrogates()
        _ = value.withSortedMembers
    }

    /// Whether Foundation reads it, where it follows RFC 8259 as far as this does: UTF-16, which it tells by zeros, is none.
    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        !bytes.contains(0) && (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
    }

    /// Foundation refuses `1e400`, which RFC 8259 allows.
    private static func hasNumberBeyondDouble(_ value: JSONValue) -> Bool {
        switch value {
        case .number(let literal): Double(literal)?.isInfinite ?? true
        case .array(let values): values.contains(where: hasNumberBeyondDouble)
        case .object(let members): members.contains { hasNumberBeyondDouble($0.value) }
        default: false
        }
    }

    /// Foundation takes `[0,]`, which RFC 8259 does not have.
    private static func hasTrailingComma(_ bytes: [UInt8]) -> Bool {
        let tokens = bytes.filter { !" \t\r\n".utf8.contains($0) }
        return zip(tokens, tokens.dropFirst()).contains { $0 == UInt8(ascii: ",") && ($1 == 0x5d || $1 == 0x7d) }
    }

    static func readHAR(_ bytes: [UInt8]) throws(BrokenPromise) {
        let hosts = ["*", "http://*"].compactMap { HostPattern($0) }
        guard let archive = try? HARArchive(parsing: bytes, hosts: hosts), let provider = ProviderID("fuzzed") else {
            return
        }
        var cassette = Cassette(name: "search", provider: provider)
        cassette.entries = archive.entries
        try checkWriting(of: cassette)
    }

    static func readCassette(_ bytes: [UInt8]) throws(BrokenPromise) {
        guard let json = try? JSONValue(parsing: bytes), let cassette = try? Cassette(named: "search", json) else {
            return
        }
        try checkWriting(of: cassette)
        // Without what their file had: as they are written the first time.
        var fresh = cassette
        fresh.entries = cassette.entries.map { entry in
            Cassette.Entry(
                calls: entry.calls, method: entry.method, url: entry.url, body: entry.body, status: entry.status,
                headers: entry.headers, content: entry.content, recorded: entry.recorded)
        }
        try checkWriting(of: fresh)
    }

    private static func checkWriting(of cassette: Cassette) throws(BrokenPromise) {
        guard let json = try? JSONValue(parsing: cassette.text.utf8), let again = try? Cassette(named: "search", json)
        else {
            throw BrokenPromise(description: "a cassette that is written can be read")
        }
        try require(again.text == cassette.text, "a cassette that is read is written the same")
        try require(again.entries.count == cassette.entries.count, "a cassette is written with all entries")
        for (old, new) in zip(cassette.entries, again.entries) {
            try require(
                old.url == new.url && old.status == new.status && old.calls == new.calls, "an entry reads the same")
            try require(Self.isSame(old.content, new.content), "an answer's body reads the same")
        }
    }

    /// JSON is kept as its value, all else as its bytes.
    private static func isSame(_ old: [UInt8], _ new: [UInt8]) -> Bool {
        if old == new { return true }
        guard let value = JSONValue.found(in: old) else { return false }
        return JSONValue.found(in: new) == value
    }

    /// A wanted range in the first line, then the document.
    static func readPackument(_ bytes: [UInt8]) throws(BrokenPromise) {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let (wanted, document) = (Array(bytes[..<end]).text, Data(bytes[end...]))
        _ = try? JSONDecoder().decode(PublicationTimes.self, from: document)
        _ = try? JSONDecoder().decode(RegistryKeys.self, from: document)
        guard let packument = try? JSONDecoder().decode(Packument.self, from: document),
            let name = try? PackName("boards"), let version = try? packument.version(for: wanted, of: name)
        else { return }
        try require(packument.versions[version] != nil, "the version that is chosen exists")
    }

    /// A command line of curl.
    static func readCurlCommand(_ bytes: [UInt8]) throws(BrokenPromise) {
        guard let command = try? CurlCommand(parsing: bytes.text) else { return }
        let found = DetectedCredentials(in: command)
        try require(found.command.url.isSameOrigin(as: command.url), "keys are taken out of the URL, not its server")
        try require((found.method == nil) == found.secrets.isEmpty, "a method has secrets")
    }

    /// A request's cookies.
    static func readCookies(_ bytes: [UInt8]) throws(BrokenPromise) {
        guard let url = try? WebURL("https://example.com/") else { return }
        var command = CurlCommand(url: url)
        command.headers = [NamedValue("Cookie", bytes.text)]
        let found = DetectedCredentials(in: command)
        try require(found.command.headers.isEmpty, "cookies are no part of a draft")
        for secret in found.secrets.values {
            try require(bytes.text.contains(secret), "a secret is one of the cookies")
        }
    }
}
