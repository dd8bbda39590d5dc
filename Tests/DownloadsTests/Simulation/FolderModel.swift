import Foundation
import LocalDatabase
import ProviderModel
import TestSupport

@testable import Downloads

/// What a folder of downloads has to hold when nothing is left to be done: the definition of a finished download.
///
/// Each wanted file is there once with the right bytes, a record and a credit, or is on the list of failures with its
/// reason; nothing else is there.
struct FolderModel {
    let scenario: DownloadScenario
    let folder: String

    /// What is not as it has to be.
    func violations() throws -> [String] {
        let found = try FolderContent(folder, scenario.options)
        var violations: [String] = []
        func expect<Value: Equatable>(_ what: String, _ value: Value, _ expected: Value) {
            if value != expected { violations.append("\(what): found \(value), expected \(expected)") }
        }
        let wanted = Dictionary(scenario.files.map { ($0.key, $0) }) { first, _ in first }
        let there = wanted.filter { $0.value.isThere }
        let failed = wanted.filter { !$0.value.isThere }

        // Once each, with the right bytes.
        let contents = there.values.map { fingerprint($0.content) }
        let isMerged = scenario.options.duplicates == .skip
        expect("contents", found.files.values.sorted(), (isMerged ? Array(Set(contents)) : contents).sorted())
        // A record of each, that leads to it.
        if scenario.options.archive != .none {
            expect("records", Set(found.records.keys), Set(there.keys))
            for (key, path) in found.records where there[key] != nil {
                expect("content of \(key)", found.files[path], fingerprint(there[key]!.content))
            }
            if !isMerged { expect("paths", Set(found.records.values).count, there.count) }
        }
        // A credit of each, and a sidecar where that is wanted.
        if !scenario.options.credits.isEmpty { expect("credits", found.credits, found.files.keys.sorted()) }
        if scenario.options.writesSidecars { expect("sidecars", found.sidecars, found.files.keys.sorted()) }
        // Or on the list, with the reason.
        expect("failures", found.failures, failed.mapValues { $0.answers.last!.code })
        // Nothing else, but what has come of files that may be continued.
        let isPartial = failed.values.contains { $0.content.count > 256 << 10 }
        expect("other files", found.others.filter { !isPartial || !$0.hasSuffix(".part") }, [])
        return violations
    }
}

extension SimulatedFile {
    /// The key of the file.
    var key: String { item.map { "\($0.provider):\($0.id):original" } ?? "url:" + ScriptedServer.origin + path }
}

extension SimulatedFile.Answer {
    /// The code of the failure that it is.
    fileprivate var code: String {
        switch self {
        case .whole, .chunked: "none"
        case .cut, .lost: "transport"
        case .status(404): "notFound"
        case .status: "status"
        case .page: "content"
        }
    }
}

/// What lies in a folder, read without the code that wrote it as far as that can be.
private struct FolderContent {
    /// The fingerprints of files, by their paths; those of archives too.
    var files: [String: String] = [:]
    var sidecars: [String] = []
    var credits: [String] = []
    var records: [String: String] = [:]
    /// The codes of the failures on the list.
    var failures: [String: String] = [:]
    var others: [String] = []

    init(_ folder: String, _ options: DownloadOptions) throws {
        for path in FolderListing.allFiles(under: folder).map({ String($0.dropFirst(folder.count + 1)) }).sorted() {
            let bytes = Array(FileManager.default.contents(atPath: "\(folder)/\(path)") ?? Data())
            if path.hasPrefix(".imgscript/") {
                if !Self.ownFiles.contains(where: { path == ".imgscript/\($0)" }) { others.append(path) }
            } else if path.hasPrefix("credits.") {
                if path == "credits.json" { credits = Self.paths(in: bytes).sorted() }
            } else if options.bundle != nil, path.hasSuffix(".zip") || path.hasSuffix(".cbz") {
                try readArchive(at: path, in: folder)
            } else if options.output != .files, path.hasSuffix(".tar") {
                try readShard(at: path, in: folder)
            } else if options.writesSidecars, path.hasSuffix(".json") {
                sidecars.append(String(path.dropLast(".json".count)))
            } else if path.hasSuffix(".png") {
                files[path] = fingerprint(bytes)
            } else {
                others.append(path)
            }
        }
        if FileManager.default.fileExists(atPath: "\(folder)/.imgscript/archive.sqlite") {
            try readDatabase(at: "\(folder)/.imgscript/archive.sqlite")
        }
        for line in Self.lines(of: "\(folder)/.imgscript/failed.jsonl") {
            let key: String =
                line["url"]?.textValue.map { "url:\($0)" } ?? "example:\(line["id"]?.textValue ?? ""):original"
            failures[key] = line["failed"]?["code"]?.textValue
        }
    }

    private static let ownFiles = [
        "archive.sqlite", "archive.sqlite-wal", "archive.sqlite-shm", "archive.sqlite.lock", "shards.sqlite",
        "shards.sqlite-wal", "shards.sqlite-shm", "shards.sqlite.lock", "credits.lock", "failed.lock", "failed.jsonl",
        "runs.lock",
    ]

    private mutating func readArchive(at path: String, in folder: String) throws {
        let content = DescriptorContent(owning: open("\(folder)/\(path)", O_RDONLY | O_CLOEXEC))
        let reader = try ZIPReader(content.descriptor, path: path)
        while let entry = try reader.next() {
            guard entry.name.hasSuffix(".png") else { continue }
            files["\(path)/\(entry.name)"] = fingerprint(try reader.content())
        }
    }

    private mutating func readShard(at path: String, in folder: String) throws {
        let content = DescriptorContent(owning: open("\(folder)/\(path)", O_RDONLY | O_CLOEXEC))
        var reader = TarReader(content)
        while let entry = try reader.next() {
            guard entry.name.hasSuffix(".png") else { continue }
            let bytes = try content.bytes(at: entry.content.lowerBound, count: entry.content.count)
            files["\(path)/\(entry.name)"] = fingerprint(bytes)
        }
    }

    private mutating func readDatabase(at path: String) throws {
        let database = try DownloadArchive.open(path)
        records = try database.readOnce { database in
            let rows = try Row.fetchAll(database, sql: "SELECT key, path FROM media")
            return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as String, $0[1] as String) })
        }
    }

    private static func paths(in credits: [UInt8]) -> [String] {
        guard case .array(let entries)? = JSONValue.found(in: credits)?["credits"] else { return [] }
        return entries.compactMap { $0["path"]?.textValue }
    }

    private static func lines(of path: String) -> [JSONValue] {
        (FileManager.default.contents(atPath: path) ?? Data()).split(separator: 0x0a)
            .compactMap { JSONValue.found(in: $0) }
    }
}
