import FoundationEssentials
import Glibc
import ProviderModel

/// The values that a test file's snapshots were, as they stand in `__snapshots__` beside it.
struct SnapshotFile: Hashable, Sendable {
    /// The format this version reads and writes.
    static let format = 1

    /// By name, in the file's order.
    private(set) var entries: [JSONValue.Member]

    /// No snapshots yet.
    init() { entries = [] }

    /// Reads a file; there are no snapshots where there is none.
    init(contentsOf path: String) throws(ProviderError) {
        guard FileManager.default.fileExists(atPath: path) else {
            self.init()
            return
        }
        do {
            try self.init(parsing: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw ProviderError(.file, provider: "", message: "\(path) is not a snapshot file: \(error)")
        }
    }

    init(parsing bytes: some Sequence<UInt8>) throws(InvalidJSON) {
        let json = try JSONValue(parsing: bytes)
        guard json["snapshots"]?.integerValue == Self.format, let members = json["entries"]?.members else {
            throw InvalidJSON(description: "expected an object with \"snapshots\": \(Self.format) and entries")
        }
        entries = members
    }

    /// As a test's worker gets them.
    var values: [NamedValue] { entries.map { NamedValue($0.name, $0.value.compact) } }

    /// Keeps a value under a name; a new name goes to the end.
    mutating func keep(_ value: JSONValue, as name: String) {
        if let index = entries.firstIndex(where: { $0.name == name }) {
            entries[index].value = value
        } else {
            entries.append(JSONValue.Member(name, value))
        }
    }

    /// Drops the snapshots of these names.
    mutating func drop(_ names: [String]) { entries.removeAll { names.contains($0.name) } }

    /// The snapshots that no test looks at any more.
    ///
    /// One whose test was not run, or failed before it came to it, may still be wanted.
    func obsolete(seen: Set<String>, unfinished tests: [String]) -> [String] {
        entries.map(\.name).filter { name in
            !seen.contains(name) && !tests.contains { name.hasPrefix("\($0) ") || name.hasPrefix("\($0): ") }
        }
    }

    /// The file's text: one member to a line.
    var text: String {
        let members = [
            JSONValue.Member("snapshots", .number(String(Self.format))), JSONValue.Member("entries", .object(entries)),
        ]
        return JSONValue.object(members).pretty + "\n"
    }

    /// Writes the file, and takes it away when nothing is left in it.
    func write(to path: String) throws {
        let files = FileManager.default
        guard !entries.isEmpty else {
            if files.fileExists(atPath: path) { try files.removeItem(atPath: path) }
            return
        }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let code = AtomicFile.write(Array(text.utf8), to: path, mode: 0o644)
        guard code == 0 else {
            let reason = "could not write \(path): \(String(cString: strerror(code)))"
            throw ProviderError(.file, provider: "", message: OwnFile.linkRefusal(path) ?? reason)
        }
    }
}
