import Crypto
import Glibc
import HTTPTransport
import ProviderModel
import Synchronization
import WorkerProtocol

/// A store of values derived from stored responses, each valid while all of them are unchanged and fresh.
package protocol DerivedStore: Sendable {
    /// The stored value; nil when there is none, or a response it was derived from has changed or is stale.
    func value(for key: [UInt8]) -> [UInt8]?
    /// Keeps a value made of these responses; of none for one that only its key can make wrong.
    func keep(_ value: [UInt8], for key: [UInt8], derivedFrom receipts: [CacheReceipt])
}

/// The manifest and the results of one provider's file, cached as the bytes from its worker.
///
/// The key is a digest of everything that a result depends on: the engine, the file, its modules, the call.
package final class ResultCache: Sendable {
    private let values: any DerivedStore
    private let source: ScriptSource
    private let modules: ModuleRecord
    private let engine: String
    /// What the file was when it was loaded; nil before that.
    private let loaded = Mutex<LoadedScript?>(nil)

    /// A file with the modules that loading it needed.
    private struct LoadedScript {
        var modules: [String]
        var digest: [UInt8]
    }

    /// A module that a script loaded, with a digest of its text.
    private struct Module {
        var name: String
        var digest: [UInt8]
    }

    /// `source` is watched for the modules it reads; `worker` is the executable that runs the scripts.
    package init(of source: inout ScriptSource, in values: any DerivedStore, worker: String) {
        self.values = values
        modules = ModuleRecord()
        engine = Self.version(of: worker)
        self.source = source
        source.module = modules.watching(source.module)
    }

    /// The manifest, if neither the file nor a module of it has changed.
    func manifest() -> ProviderManifest? {
        guard let bytes = values.value(for: manifestKey) else { return nil }
        var reader = ByteReader(bytes)
        // An unreadable value was written by another version, and is computed again.
        guard let kept = try? readManifest(from: &reader),
            kept.modules.allSatisfy({ digest(of: $0.name) == $0.digest })
        else { return nil }
        noteLoaded(kept.modules)
        return kept.manifest
    }

    /// Keeps the manifest of a file that has just been loaded.
    package func keep(_ manifest: ProviderManifest) {
        let names = modules.names
        let read = names.compactMap { name in digest(of: name).map { Module(name: name, digest: $0) } }
        guard read.count == names.count else { return }
        noteLoaded(read)
        var writer = ByteWriter(capacity: 4_096)
        writer.write(unsigned: UInt64(read.count))
        for module in read {
            writer.write(module.name)
            writer.write(module.digest)
        }
        writer.write(manifest)
        values.keep(writer.bytes, for: manifestKey, derivedFrom: [])
    }

    /// The result of an earlier call, while every response it was derived from is unchanged.
    package func result(of call: EncodedCall, identity: [UInt8]) -> EncodedResult? {
        guard let key = key(of: call, identity), let bytes = values.value(for: key) else { return nil }
        var reader = ByteReader(bytes)
        return try? reader.read(EncodedResult.self)  // of another version, as above
    }

    /// Keeps a result; `receipts` are those of all responses that went into it.
    package func keep(_ result: EncodedResult, of call: EncodedCall, identity: [UInt8], from receipts: [CacheReceipt]) {
        // A module that was read later than on loading is no part of the key.
        guard let script = loaded.withLock(\.self), Set(modules.names).isSubset(of: script.modules),
            let key = key(of: call, identity)
        else { return }
        var writer = ByteWriter(capacity: result.json.count + 16)
        writer.write(result)
        values.keep(writer.bytes, for: key, derivedFrom: receipts)
    }

    private func noteLoaded(_ modules: [Module]) {
        let digest = Fingerprint.of([Array(source.text.utf8)] + modules.map(\.digest))
        loaded.withLock { $0 = LoadedScript(modules: modules.map(\.name), digest: digest) }
    }

    private func readManifest(
        from reader: inout ByteReader
    ) throws(WireError) -> (modules: [Module], manifest: ProviderManifest) {
        var modules: [Module] = []
        for _ in 0..<(try reader.readCount()) {
            let name = try reader.read(String.self)
            modules.append(Module(name: name, digest: try reader.readBytes()))
        }
        return (modules, try reader.read())
    }

    // MARK: Keys

    private var manifestKey: [UInt8] { Fingerprint.of(texts: ["manifest", engine, source.file, source.text]) }

    /// nil before the file is loaded: its modules belong to the key.
    private func key(of call: EncodedCall, _ identity: [UInt8]) -> [UInt8]? {
        guard let script = loaded.withLock(\.self) else { return nil }
        let place = Fingerprint.of(texts: ["result", engine, source.file])
        return Fingerprint.of([place, script.digest, identity, call.bytes])
    }

    /// nil when the module cannot be read now.
    private func digest(of name: String) -> [UInt8]? {
        guard let text = try? source.module(name) else { return nil }  // then nothing is kept
        return Fingerprint.of(texts: [text])
    }

    /// A build's size and time distinguish it from others of the same version.
    private static func version(of executable: String) -> String {
        var status = stat()
        guard stat(executable, &status) == 0 else { return executable }
        return "\(executable) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}

/// The modules that a script has asked for.
private final class ModuleRecord: Sendable {
    private let read = Mutex<[String]>([])

    var names: [String] { read.withLock(\.self) }

    func watching(
        _ module: @escaping @Sendable (String) throws(ModuleNotFound) -> String
    ) -> @Sendable (String) throws(ModuleNotFound) -> String {
        { [self] name throws(ModuleNotFound) in
            let text = try module(name)
            read.withLock { if !$0.contains(name) { $0.append(name) } }
            return text
        }
    }
}

/// SHA-256 over parts that cannot run into each other.
enum Fingerprint {
    static func of(_ parts: [[UInt8]]) -> [UInt8] {
        var digest = SHA256()
        for part in parts {
            withUnsafeBytes(of: part.count.littleEndian) { digest.update(bufferPointer: $0) }
            digest.update(data: part)
        }
        return Array(digest.finalize())
    }

    static func of(texts: [String]) -> [UInt8] { of(texts.map { Array($0.utf8) }) }
}
