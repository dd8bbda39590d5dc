import Glibc
import HTTPTransport
import LocalDatabase
import ProviderModel

/// Firefox's `cookies.sqlite`.
enum FirefoxCookies {
    static func read(_ path: String, _ scope: RequestScope, in container: FirefoxContainer) throws -> [Cookie] {
        try ForeignDatabase.read(copyOf: path) { database in
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            let rows = try Row.fetchAll(database, sql: "SELECT * FROM moz_cookies ORDER BY creationTime")
            return rows.compactMap { row -> Cookie? in
                guard let host = String.fromDatabaseValue(row.value("host")) else { return nil }
                let origin = FirefoxOrigin(String.fromDatabaseValue(row.value("originAttributes")) ?? "")
                guard origin.isIn(container), origin.isFirstParty(of: host) else { return nil }
                let cookie = Cookie(
                    name: String.fromDatabaseValue(row.value("name")) ?? "",
                    value: String.fromDatabaseValue(row.value("value")) ?? "",
                    domain: host, isHostOnly: !host.hasPrefix("."),
                    path: String.fromDatabaseValue(row.value("path")) ?? "/",
                    isSecure: Int.fromDatabaseValue(row.value("isSecure")) == 1,
                    isHTTPOnly: Int.fromDatabaseValue(row.value("isHttpOnly")) == 1,
                    expires: end(Int.fromDatabaseValue(row.value("expiry")) ?? 0, version: version),
                    sameSite: [0: .none, 1: .lax, 2: .strict][Int.fromDatabaseValue(row.value("sameSite")) ?? -1])
                return cookie.flatMap { $0.belongs(to: scope) ? $0 : nil }
            }
        }
    }

    /// Seconds since 1970: since the schema 16 of Firefox 142 the database has milliseconds.
    private static func end(_ expiry: Int, version: Int) -> Int {
        version >= 16 || expiry > 100_000_000_000 ? expiry / 1_000 : expiry
    }
}

/// A container of Firefox, which keeps a login apart from others.
enum FirefoxContainer: Hashable {
    /// In no container.
    case none
    /// In any, and in none.
    case all
    /// In the container of this number.
    case number(String)
}

/// The containers of a profile, by what Firefox shows.
struct FirefoxContainers {
    private let containers: [(name: String, number: String)]

    /// Reads `containers.json`; without it there are none.
    init(in profile: String) {
        let descriptor = open("\(profile)/containers.json", O_RDONLY | O_CLOEXEC)
        let json = descriptor >= 0 ? descriptor.readToEnd(limit: 1 << 20) : nil
        if descriptor >= 0 { close(descriptor) }
        self.init(json: json ?? [])
    }

    init(json: [UInt8]) {
        let identities = (try? JSONValue(parsing: json))?["identities"]?.elements ?? []  // a damaged list has none
        containers = identities.compactMap { identity in
            guard let number = identity["userContextId"]?.integerValue, let name = Self.name(of: identity),
                identity["public"] != .boolean(false)
            else { return nil }
            return (name, String(number))
        }
    }

    /// The containers' names.
    var names: [String] { containers.map(\.name) }

    /// The container of a name in any capitals, or of a number; `all` stands for every one.
    func container(named name: String) -> FirefoxContainer? {
        let found =
            containers.first { $0.name == name } ?? containers.first { $0.name.lowercased() == name.lowercased() }
            ?? containers.first { $0.number == name }
        return found.map { .number($0.number) } ?? (name == "all" ? .all : nil)
    }

    /// The name that the user gave; for those that come with Firefox it is known by a key: `user-context-work`, formerly
    /// `userContextWork.label`.
    private static func name(of identity: JSONValue) -> String? {
        if let name = identity["name"]?.textValue, !name.isEmpty { return name }
        guard let key = identity["l10nId"]?.textValue ?? identity["l10nID"]?.textValue else { return nil }
        for (start, end) in [("user-context-", ""), ("userContext", ".label")]
        where key.hasPrefix(start) && key.hasSuffix(end) && key.utf8.count > start.utf8.count + end.utf8.count {
            let word = key.dropFirst(start.count).dropLast(end.count)
            return word.prefix(1).uppercased() + word.dropFirst()
        }
        return nil
    }
}

/// Firefox's attributes of a cookie's origin: `^userContextId=2&partitionKey=%28https%2Cexample.com%29`.
struct FirefoxOrigin {
    private let attributes: [String: String]

    init(_ text: String) {
        let pairs = text.drop { $0 == "^" }.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (PercentEncoding.decode(parts[0]), parts.count > 1 ? PercentEncoding.decode(parts[1]) : "")
        }
        attributes = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    func isIn(_ container: FirefoxContainer) -> Bool {
        switch container {
        case .none: attributes["userContextId"] == nil
        case .all: true
        case .number(let number): attributes["userContextId"] == number
        }
    }

    /// Whether the cookie was set by the site itself, and not for it within another.
    func isFirstParty(of host: String) -> Bool {
        guard attributes["privateBrowsingId"] == nil else { return false }
        let host = host.drop { $0 == "." }
        let sites = [
            attributes["firstPartyDomain"],
            // (https,example.com) or (https,example.com,8080)
            attributes["partitionKey"].flatMap { $0.split(separator: ",").dropFirst().first?.prefix { $0 != ")" } }
                .map(String.init),
        ].compactMap(\.self)
        return sites.allSatisfy { host == $0 || host.hasSuffix(".\($0)") }
    }
}
