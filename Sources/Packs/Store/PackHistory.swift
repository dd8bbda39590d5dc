import Crypto
import FoundationEssentials
import Glibc
import ProviderModel
import ProviderRuntime

/// The former versions in a lockfile: one small file for each lockfile that uses packs of this machine.
///
/// It is written before the lockfile, so that a process that ends in between loses nothing: the last entry that is not the
/// current version is the former one.
struct PackHistory {
    private struct Record: Codable {
        var lockfile: String
        var former: [String: [LockedPack]]
    }

    private let folder: String
    private let path: String
    private let lockfile: String

    init(of lockfile: String, in folder: String) {
        self.folder = folder
        let name = lockfile.split(separator: "/").last ?? ""
        // The lockfile itself may not be there yet.
        self.lockfile = "\(FileSystem.absolute(FileSystem.parent(of: lockfile)))/\(name)"
        let digest = SHA256.hash(data: Array(self.lockfile.utf8))
        path = "\(folder)/history/\(digest.prefix(12).hexadecimal).json"
    }

    /// The versions of a pack that were used, the last one last.
    func entries(of name: String) throws -> [LockedPack] { try read().former[name] ?? [] }

    /// Adds a version that is about to be replaced, beside the one before it; nil only registers the lockfile.
    func add(_ pack: LockedPack?, named name: String) throws {
        var record = try read()
        if let pack {
            let others = (record.former[name] ?? []).filter { $0.integrity != pack.integrity }
            record.former[name] = others.suffix(1) + [pack]
        }
        try write(record)
    }

    /// Removes a pack.
    func remove(_ name: String) throws {
        var record = try read()
        record.former[name] = nil
        try write(record)
    }

    /// The paths below the folder of packs that lockfiles, or rollbacks of them, need.
    static func used(in folder: String) throws -> Set<String> {
        var used: Set<String> = []
        for name in try FileSystem.names(in: "\(folder)/history") where name.hasSuffix(".json") {
            let record = try read("\(folder)/history/\(name)")
            let lock = try Lockfile(path: record.lockfile) ?? Lockfile()
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
        do {
            let data = try Data(contentsOf: URL(filePath: path))
            let record = try JSONDecoder().decode(Record.self, from: data)
            if JSONValue.found(in: data)?.hasRightChecksum(for: record.lockfile) == true { return record }
        } catch { throw damaged(path, error) }
        throw damaged(path, nil)
    }

    private static func damaged(_ path: String, _ cause: (any Error)?) -> PackError {
        PackError(
            .lockfile, "\(path) is not a history of installed packs",
            hint: "remove it; only the former versions are lost", cause: cause)
    }

    private func write(_ record: Record) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        try FileSystem.makeFolder("history", below: folder)
        let json = try JSONValue(parsing: encoder.encode(record)).withChecksum(for: record.lockfile)
        try FileSystem.write(Array("\(json.pretty)\n".utf8), to: path)
    }
}
