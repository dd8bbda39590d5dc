import FoundationEssentials
import Packs

/// A pack that is on this machine.
struct LocalPack {
    /// Where its files are.
    let folder: String
    /// Whether they are the author's own, and not what was installed or unpacked.
    let isOwn: Bool
    /// Keeps what was unpacked.
    private let unpacked: PackCandidate?

    init(folder: String, isOwn: Bool, unpacked: PackCandidate? = nil) {
        self.folder = folder
        self.isOwn = isOwn
        self.unpacked = unpacked
    }
}

extension PackContext {
    /// The pack of a name, in a folder or in a `.tgz`, without asking anybody for it; nil where there is none here.
    func localPack(_ text: String) async throws -> LocalPack? {
        if FileManager.default.fileExists(atPath: "\(text)/\(PackManifest.fileName)") {
            return LocalPack(folder: text, isOwn: true)
        }
        for lockfile in lockfiles {
            guard let locked = try store.lock(at: lockfile).packs[text] else { continue }
            guard store.holds(locked, named: text) else {
                throw PackError(
                    .notInstalled, "\(text) \(locked.version) of \(lockfile) is not on this machine",
                    hint: "imgscript pack install --frozen brings it here")
            }
            return LocalPack(folder: store.path(of: locked, named: text), isOwn: false)
        }
        guard text.hasSuffix(".tgz"), FileManager.default.fileExists(atPath: text) else { return nil }
        let candidate = try await installer(for: [text]).candidate(from: PackSource(text), in: bench())
        return LocalPack(folder: candidate.folder, isOwn: false, unpacked: candidate)
    }
}
