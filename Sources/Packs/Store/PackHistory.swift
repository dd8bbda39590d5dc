import Crypto
import FoundationEssentials
import Glibc
import ProviderRuntime

/// What a lockfile had before: one small file for each lockfile that this machine's packs serve.
///
/// Written before the lockfile is, so that a process that ends between them loses nothing: the last entry that is not
/// the current version is the former one.
struct PackHistory {
    private struct Record: Codable {
        var lockfile: String
        var former: [String: [LockedPack]]
    }

    private let path: String
    private let lockfile: String

    init(of lockfile: String, in folder: String) {
        self.lockfile = StoreFiles.absolute(lockfile)
        path = "\(folder)/history/\(Self.name(of: self.lockfile)).json"
    }

    /// The versions of a pack that were used, the last one last.
    func entries(of name: String) throws -> [LockedPack] { try read().former[name] ?? [] }

    /// Keeps a version that is about to be replaced, beside the one before it.
    func keep(_ pack: LockedPack?, named name: String) throws {
        var record = try read()
        if let pack {
            let others = (record.former[name] ?? []).filter { $0.integrity != pack.integrity }
            record.former[name] = others.suffix(1) + [pack]
        }
        try write(record)
    }

    /// Forgets a pack.
    func forget(_ name: String) throws {
        var record = try read()
        record.former[name] = nil
        try write(record)
    }

    /// The places below the folder of packs that some lockfile, or a way back to a former version, leads to.
    static func used(in folder: String) throws -> Set<String> {
        var used: Set<String> = []
        for name in StoreFiles.names(in: "\(folder)/history") where name.hasSuffix(".json") {
            let record = try read("\(folder)/history/\(name)")
            let lock = try PackLock(path: record.lockfile) ?? PackLock()
            used.formUnion(lock.packs.map { $0.value.storePath(as: $0.key) })
            for (name, packs) in record.former {
                // The former versions of a project that is gone go with it.
                guard access(record.lockfile, F_OK) == 0 else { continue }
                let former = packs.last { $0.integrity != lock.packs[name]?.integrity }
                if let former { used.insert(former.storePath(as: name)) }
            }
        }
        return used
    }

    private func read() throws -> Record {
        guard access(path, F_OK) == 0 else { return Record(lockfile: lockfile, former: [:]) }
        return try Self.read(path)
    }

    private static func read(_ path: String) throws -> Record {
        do { return try JSONDecoder().decode(Record.self, from: Data(contentsOf: URL(filePath: path))) } catch {
            throw PackError(
                .lockfile, "\(path) is not what imgscript keeps there",
                hint: "remove it; only the way back to former versions is lost",
                cause: error)
        }
    }

    private func write(_ record: Record) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let parent = StoreFiles.parent(of: path)
        try StoreFiles.make(parent)
        try StoreFiles.replace(path, with: String(decoding: try encoder.encode(record), as: UTF8.self) + "\n")
        StoreFiles.flushNames(in: parent)
    }

    private static func name(of path: String) -> String {
        let digits = Array("0123456789abcdef")
        return String(
            SHA256.hash(data: Array(path.utf8)).prefix(12).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
