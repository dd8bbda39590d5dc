import LocalDatabase
import ProviderModel

/// A download that failed, as the folder's record has it.
struct FailedDownload: Hashable, Sendable {
    /// The identity of the file, or the reference that could not be resolved.
    var key: String
    /// The input that stands for it, as a JSON object.
    var input: String
    /// ``DownloadError/code``, as text.
    var code: String
    /// ``DownloadError/reason``: the failure in a few words.
    var reason: String
    /// What was found, and what was expected.
    var message: String
    /// The HTTP status code, if the server answered.
    var status: Int?
    /// When it failed last, in seconds since 1970.
    var time: Int
    /// The number of times that it failed.
    var attempts = 1

    /// The failure of an input; nil for one that cannot be written down, such as a damaged line.
    init?(_ subject: DownloadInput.Subject, key: String, _ error: DownloadError, time: Int) {
        guard let input = subject.line else { return nil }
        self.key = key
        self.input = input
        code = error.code.rawValue
        (reason, message, status) = (error.reason, error.message, error.status)
        self.time = time
    }

    /// Whether the server, or the source, said that there is no such image: it will most likely say so again.
    var isDeadLink: Bool { Self.deadCodes.contains(code) }

    /// The codes of dead links.
    static let deadCodes = [DownloadError.Code.notFound, .content].map(\.rawValue)

    /// Why it is not asked for again.
    var skipReason: SkipReason { .failedBefore(reason: reason, time: time) }

    /// The line of `failed.jsonl`: the input, which `--input` reads as well, with what is known of the failure.
    var line: String {
        var json = JSONWriter()
        json.object { json in
            json.name("failed")
            json.object { json in
                json.member("code", code)
                json.member("reason", reason)
                json.member("status", status)
                json.member("message", message)
                json.member("time", DateTime(secondsSince1970: time).iso8601)
                json.member("attempts", attempts)
            }
        }
        return input.dropLast() + "," + json.text.dropFirst() + "\n"
    }
}

extension FailedDownload {
    /// The table's definition; `number` is the order in which files failed first.
    ///
    /// Rows are in that order, and so written one after the other: in the order of keys each would change another page, of which
    /// a million have too many to be kept.
    static let table = """
        CREATE TABLE failure (number INTEGER NOT NULL PRIMARY KEY, key TEXT NOT NULL UNIQUE, input TEXT NOT NULL,
            code TEXT NOT NULL, reason TEXT NOT NULL, message TEXT NOT NULL, status INTEGER, time INTEGER NOT NULL,
            attempts INTEGER NOT NULL, checksum INTEGER NOT NULL);
        """

    /// Reads a row with all columns.
    init(_ row: Row) throws {
        try DamagedRow.check(row.hasRightChecksum)
        key = row["key"]
        input = row["input"]
        code = row["code"]
        reason = row["reason"]
        message = row["message"]
        status = row["status"]
        time = row["time"]
        attempts = row["attempts"]
    }

    /// Inserts its row, in place of the one that it had: a file that fails again keeps its place.
    func insert(into database: Database) throws {
        let known = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT number, attempts FROM failure WHERE key = ?"), arguments: [key])
        let number =
            try known?[0]
            ?? Int.fetchOne(database.cachedStatement(sql: "SELECT coalesce(max(number), 0) + 1 FROM failure")) ?? 1
        let earlier: Int = known?[1] ?? 0
        try database.insert(
            into: "failure",
            withChecksum: [number, key, input, code, reason, message, status, time, attempts + earlier])
    }
}

extension DownloadInput.Subject {
    /// The object that stands for it in a list; nil for what could not be read.
    var line: String? {
        var json = JSONWriter()
        switch self {
        case .unreadable: return nil
        // A URL with a password is refused in any case; the file would be one more place that holds it.
        case .reference(let text):
            json.object { $0.member(text.isWebAddress ? "url" : "reference", text.maskingUserInfo) }
        case .item(let item): item.write(to: &json)
        }
        return json.text
    }
}
