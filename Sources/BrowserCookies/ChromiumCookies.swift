import Crypto
import CryptoExtras
import FoundationEssentials
import HTTPTransport
import LocalDatabase
import ProviderModel

/// Chromium's `Cookies`: their values are encrypted.
enum ChromiumCookies {
    /// An encrypted cookie.
    struct Record {
        let cookie: Cookie
        let encrypted: [UInt8]
    }

    static func read(
        _ path: String, _ scope: RequestScope, of browser: Browser, _ environment: [String: String]
    ) throws -> FoundCookies {
        let (version, records) = try ForeignDatabase.read(copyOf: path) { database in
            (
                try Int.fetchOne(database, sql: "SELECT value FROM meta WHERE key = 'version'") ?? 0,
                try Row.fetchAll(database, sql: "SELECT * FROM cookies ORDER BY creation_utc")
                    .compactMap(record).filter { $0.cookie.belongs(to: scope) }
            )
        }
        var password: [UInt8]?
        var reason = TransportError(
            .secrets, message: "could not decrypt cookies of \(browser.rawValue) in \(path): the key does not fit",
            hint: "run this as the user and in the session of the browser, or export cookies.txt from it")
        if records.contains(where: { $0.encrypted.starts(with: Array("v11".utf8)) }) {
            do { password = try Keyring.password(of: browser, environment) } catch { reason = error }
        }
        let decryption = ChromiumDecryption(version: version, password: password)
        var found = FoundCookies([])
        for record in records {
            if let value = decryption.value(of: record) {
                var cookie = record.cookie
                cookie.value = value
                found.cookies.append(cookie)
            } else {
                found.unreadable[record.cookie.name] = reason
            }
        }
        return found
    }

    private static func record(_ row: Row) -> Record? {
        guard let host = String.fromDatabaseValue(row.value("host_key")), isFirstParty(row, of: host) else {
            return nil
        }
        // Microseconds since 1601.
        let end = Int.fromDatabaseValue(row.value("expires_utc")) ?? 0
        let cookie = Cookie(
            name: String.fromDatabaseValue(row.value("name")) ?? "",
            value: String.fromDatabaseValue(row.value("value")) ?? "",
            domain: host, isHostOnly: !host.hasPrefix("."), path: String.fromDatabaseValue(row.value("path")) ?? "/",
            isSecure: Int.fromDatabaseValue(row.value("is_secure")) == 1,
            isHTTPOnly: Int.fromDatabaseValue(row.value("is_httponly")) == 1,
            expires: end == 0 ? nil : end / 1_000_000 - 11_644_473_600,
            sameSite: [0: .none, 1: .lax, 2: .strict][Int.fromDatabaseValue(row.value("samesite")) ?? -1])
        let encrypted = Data.fromDatabaseValue(row.value("encrypted_value")).map(Array.init) ?? []
        return cookie.map { Record(cookie: $0, encrypted: encrypted) }
    }

    /// Whether the cookie was set by the site itself, and not for it within another: `https://example.com`.
    private static func isFirstParty(_ row: Row, of host: String) -> Bool {
        let key = String.fromDatabaseValue(row.value("top_frame_site_key")) ?? ""
        guard !key.isEmpty else { return true }
        let site = (try? WebURL(key))?.host  // an opaque origin is no site
        let host = host.drop { $0 == "." }
        return site.map { host == $0 || host.hasSuffix(".\($0)") } ?? false
    }
}

/// Decrypts values as Chromium on Linux encrypts them (components/os_crypt): AES-128-CBC with a key made of a password.
struct ChromiumDecryption {
    /// The database's version: since 24, a value begins with a digest of its host.
    let version: Int
    /// The password of the Secret Service; nil where none was asked for.
    let password: [UInt8]?

    /// The value; nil when the key does not fit.
    func value(of record: ChromiumCookies.Record) -> String? {
        guard !record.encrypted.isEmpty else { return record.cookie.value }
        let passwords: [[UInt8]] =
            switch String(decoding: record.encrypted.prefix(3), as: UTF8.self) {
            case "v10": [Array("peanuts".utf8), []]
            // Chromium falls back to an empty password when the service does not answer.
            case "v11": [password, []].compactMap(\.self)
            default: []
            }
        for password in passwords {
            // Wrong padding says that the key is another.
            guard let initialization = try? AES._CBC.IV(ivBytes: [UInt8](repeating: 0x20, count: 16)),
                let plain = try? AES._CBC.decrypt(
                    record.encrypted.dropFirst(3), using: Self.key(password), iv: initialization),
                let value = text(of: Array(plain), host: record.cookie)
            else { continue }
            return value
        }
        return nil
    }

    private func text(of plain: [UInt8], host cookie: Cookie) -> String? {
        var plain = plain[...]
        if version >= 24 {
            let domain = (cookie.isHostOnly ? "" : ".") + cookie.domain
            guard plain.starts(with: SHA256.hash(data: Array(domain.utf8))) else { return nil }
            plain = plain.dropFirst(32)
        }
        return String(validating: plain, as: UTF8.self)
    }

    /// PBKDF2-HMAC-SHA1 with one round and the salt "saltysalt": a single HMAC over the salt and the block's number.
    static func key(_ password: [UInt8]) -> SymmetricKey {
        let code = HMAC<Insecure.SHA1>.authenticationCode(
            for: Array("saltysalt".utf8) + [0, 0, 0, 1], using: SymmetricKey(data: password))
        return SymmetricKey(data: Array(code.prefix(16)))
    }
}
