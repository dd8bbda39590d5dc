import CryptoExtras
import ProviderModel

@testable import BrowserCookies
@testable import HTTPTransport

/// Cookies: of servers, of files and of browsers.
extension FuzzTarget {
    private static let now = 1_700_000_000

    /// The URL of an answer, then its `Set-Cookie` values, each in its line.
    static func readSetCookies(_ bytes: [UInt8]) throws(BrokenPromise) {
        let lines = bytes.lines(atMost: 8)
        guard let provider = ProviderID("fuzzed"), let url = try? WebURL(lines[0]), let host = HostPattern(url.host)
        else { return }
        let scope = RequestScope(provider: provider, hosts: [host])
        var jar = CookieJar()
        _ = jar.take(Array(lines.dropFirst()), from: url, in: scope, at: now)
        for cookie in jar.cookies {
            try require(!cookie.hasExpired(at: now), "no cookie that has expired is kept")
            try require(
                Cookie.domain(cookie.domain, isHostOnly: cookie.isHostOnly, matches: url.host),
                "a server sets cookies of its own hosts only")
        }
        try checkWriting(of: jar.cookies)
        if let line = jar.header(for: url, at: now) {
            try require(!line.utf8.contains { $0 < 0x20 || $0 == 0x7f }, "cookies are one line")
        }
        guard let other = try? WebURL("https://other.test/") else { return }
        try require(url.host == other.host || jar.header(for: other, at: now) == nil, "no other host is sent cookies")
        guard url.scheme == .https, let plain = try? WebURL("http" + url.description.dropFirst(5)), !plain.isLoopback
        else { return }
        let secure = jar.cookies.filter(\.isSecure)
        try require(CookieJar(secure).header(for: plain, at: now) == nil, "secure cookies go over TLS alone")
    }

    /// `cookies.txt`, or JSON.
    static func readCookieFile(_ bytes: [UInt8]) throws(BrokenPromise) {
        guard let reading = try? CookieText.read(bytes, of: "cookies.txt") else { return }
        try checkWriting(of: reading.cookies)
        let lines = bytes.split { $0 == 0x0a || $0 == 0x0d }.count
        try require(
            reading.cookies.count + reading.faults.count <= max(lines, bytes.count), "an entry is one cookie at most")
    }

    private static func checkWriting(of cookies: [Cookie]) throws(BrokenPromise) {
        let again = try? CookieText.cookies(in: CookieText.json(cookies), of: "cookies")
        try require(again == cookies, "cookies that are stored read the same")
    }

    /// How a browser keeps cookies: the database's version, then an encrypted value, which is a list of profiles as well.
    static func readBrowserCookies(_ bytes: [UInt8]) throws(BrokenPromise) {
        _ = (FirefoxProfiles.listed(in: bytes.text), ChromiumProfiles.listed(in: bytes.text))
        _ = FirefoxContainers(json: bytes).container(named: "Work")
        _ = FirefoxOrigin(bytes.text).isFirstParty(of: "example.com")
        guard let version = bytes.first,
            let cookie = Cookie(name: "a", value: "", domain: ".example.com", isHostOnly: false)
        else { return }
        let value = Array(bytes.dropFirst())
        for password in [nil, Array("secret".utf8)] {
            let decryption = ChromiumDecryption(version: Int(version), password: password)
            _ = decryption.value(of: ChromiumCookies.Record(cookie: cookie, encrypted: value))
        }
        guard version < 24, let text = String(validating: value, as: UTF8.self),
            let initialization = try? AES._CBC.IV(ivBytes: [UInt8](repeating: 0x20, count: 16)),
            let encrypted = try? AES._CBC.encrypt(
                value, using: ChromiumDecryption.key(Array("peanuts".utf8)), iv: initialization)
        else { return }
        let record = ChromiumCookies.Record(cookie: cookie, encrypted: Array("v10".utf8) + encrypted)
        let decryption = ChromiumDecryption(version: Int(version), password: nil)
        try require(decryption.value(of: record) == text, "what a browser has encrypted is read")
    }
}
