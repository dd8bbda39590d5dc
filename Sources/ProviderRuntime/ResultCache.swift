import Glibc
import HTTPTransport
import ProviderModel
import ProviderRuntime
import Synchronization
import WorkerProtocol

/// The manifest and the pages of one provider file that were worked out before, so that its script need not run again.
///
/// Everything is kept under a digest of whatever it depends on: the engine, the file, its neighbours, the question.
final class ResultCache: Sendable {
    private let store: any DerivedStore
    private let source: ScriptSource
    private let neighbours: NeighbourRecord
    private let engine: String
    /// The neighbours that loading the file needed; nil before it is known.
    private let loaded = Mutex<[Neighbour]?>(nil)

    /// A neighbour a script loaded, with a digest of its text.
    private struct Neighbour: Hashable {
        var name: String
        var digest: [UInt8]
    }

    /// `source` is watched for the neighbours it reads; `worker` is the executable that runs the scripts.
    init(of source: inout ScriptSource, in store: any DerivedStore, worker: String) {
        self.store = store
        neighbours = NeighbourRecord()
        engine = Self.version(of: worker)
        self.source = source
        source.neighbour = neighbours.watching(source.neighbour)
    }

    /// The manifest, when neither the file nor a neighbour of it has changed since.
    func manifest() -> ProviderManifest? {
        guard let bytes = store.value(for: manifestKey) else { return nil }
        var reader = ByteReader(bytes)
        // What cannot be read was written by another version: it is worked out anew.
        guard let kept = try? readManifest(from: &reader),
            kept.neighbours.allSatisfy({ digest(of: $0.name) == $0.digest })
        else { return nil }
        loaded.withLock { $0 = kept.neighbours }
        return kept.manifest
    }

    /// Keeps the manifest of a file that has just been loaded.
    func keep(_ manifest: ProviderManifest) {
        let names = neighbours.names
        let read = names.compactMap { name in digest(of: name).map { Neighbour(name: name, digest: $0) } }
        guard read.count == names.count else { return }
        loaded.withLock { $0 = read }
        var writer = ByteWriter(capacity: 4_096)
        writer.write(UInt64(read.count))
        for neighbour in read {
            writer.write(neighbour.name)
            writer.write(neighbour.digest)
        }
        writer.write(manifest)
        store.keep(writer.bytes, for: manifestKey, from: [])
    }

    /// The result of a call that was answered before, while every answer it was made of stands.
    func result(of call: OperationCall, identity: [UInt8]) -> OperationResult? {
        guard let key = key(of: call, identity), let bytes = store.value(for: key) else { return nil }
        var reader = ByteReader(bytes)
        return try? OperationResult(from: &reader)  // of another version, as above
    }

    /// Keeps a result; `receipts` are those of all answers that went into it.
    func keep(_ result: OperationResult, of call: OperationCall, identity: [UInt8], from receipts: [CacheReceipt]) {
        // A neighbour that was read later than on loading is no part of the key.
        guard let loaded = loaded.withLock(\.self), Set(neighbours.names).isSubset(of: loaded.map(\.name)),
            let key = key(of: call, identity)
        else { return }
        var writer = ByteWriter(capacity: 16_384)
        writer.write(result)
        store.keep(writer.bytes, for: key, from: receipts)
    }

    private func readManifest(
        from reader: inout ByteReader
    ) throws(WireError) -> (neighbours: [Neighbour], manifest: ProviderManifest) {
        var neighbours: [Neighbour] = []
        for _ in 0..<(try reader.readCount()) {
            let name = try reader.readString()
            neighbours.append(Neighbour(name: name, digest: try reader.readBytes()))
        }
        return (neighbours, try reader.read())
    }

    private var manifestKey: [UInt8] {
        var key = Fingerprint()
        for part in ["manifest", engine, source.file, source.text] { key.add(part) }
        return key.bytes
    }

    /// nil before the file is loaded: its neighbours belong to the question.
    private func key(of call: OperationCall, _ identity: [UInt8]) -> [UInt8]? {
        guard let loaded = loaded.withLock(\.self) else { return nil }
        var writer = ByteWriter(capacity: 1_024)
        writer.write(call)
        var key = Fingerprint()
        for part in ["result", engine, source.file, source.text] { key.add(part) }
        key.add(identity)
        for neighbour in loaded { key.add(neighbour.digest) }
        key.add(writer.bytes)
        return key.bytes
    }

    /// nil when the neighbour cannot be read now.
    private func digest(of name: String) -> [UInt8]? {
        guard let text = try? source.neighbour(name) else { return nil }  // then nothing is kept
        return Fingerprint(of: text).bytes
    }

    /// A build's size and time tell it from others of the same version.
    private static func version(of executable: String) -> String {
        var status = stat()
        guard stat(executable, &status) == 0 else { return executable }
        return "\(executable) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}

/// The neighbours that a script has asked for.
private final class NeighbourRecord: Sendable {
    private let read = Mutex<[String]>([])

    var names: [String] { read.withLock(\.self) }

    func watching(
        _ neighbour: @escaping @Sendable (String) throws(ModuleNotFound) -> String
    ) -> @Sendable (String) throws(ModuleNotFound) -> String {
        { [self] name throws(ModuleNotFound) in
            let text = try neighbour(name)
            read.withLock { if !$0.contains(name) { $0.append(name) } }
            return text
        }
    }
}
