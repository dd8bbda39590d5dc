import FoundationEssentials
import Glibc
import ProviderRuntime
import ProviderModel

/// Installed packs on disk: each version in a folder of its own, and lockfiles that say which is used.
///
/// A version is put into place whole by one rename, and used from the moment the lockfile is replaced by another.
/// Whatever ends a process in between leaves the former state; what it leaves lying about goes with the next one.
package struct PackStore: Sendable {
    /// The folder of all packs.
    package let folder: String

    /// A store in a folder, which is made when something is put there.
    package init(folder: String) { self.folder = folder }

    /// The lock of a lockfile, empty where there is no file.
    package func lock(at path: String) throws -> PackLock { try PackLock(path: path) ?? PackLock() }

    /// Where a pack of a lock lies.
    package func path(of pack: LockedPack, named name: String) -> String { "\(folder)/\(pack.storePath(as: name))" }

    /// Where the archive of a pack of a lock lies, by which its files are judged and put right.
    private func archivePath(of pack: LockedPack, named name: String) -> String { path(of: pack, named: name) + ".tgz" }

    /// The archive of a pack of a lock, where it was kept as the lock names it.
    package func archive(of pack: LockedPack, named name: String) -> PackArchive? {
        // One that cannot be read is as good as none: it is fetched again.
        guard let archive = try? PackArchive(fileAt: archivePath(of: pack, named: name)) else { return nil }
        return archive.integrity.description == pack.integrity ? archive : nil
    }

    /// How a pack of a lock is found on this machine.
    package func condition(of pack: LockedPack, named name: String) -> PackCondition {
        guard holds(pack, named: name) else { return .missing }
        guard let archive = archive(of: pack, named: name) else { return .unknown }
        // What cannot be compared is not known to be whole.
        guard let differences = try? archive.differences(from: path(of: pack, named: name)) else { return .unknown }
        return differences.isEmpty ? .whole : .changed(differences)
    }

    /// Whether a pack of a lock is there.
    package func holds(_ pack: LockedPack, named name: String) -> Bool {
        access(path(of: pack, named: name), R_OK | X_OK) == 0
    }

    /// Whether a pack of a lock is there with the very files of an unpacked folder.
    package func holds(_ pack: LockedPack, named name: String, asIn content: String) -> Bool {
        holds(pack, named: name) && StoreFiles.isSame(content, path(of: pack, named: name))
    }

    /// Where things lie until they are whole, or until they are gone.
    private var unfinished: String { "\(folder)/unfinished" }

    /// A folder to work in, which goes away with its last reference.
    package func workspace() throws(PackError) -> PackWorkspace { try PackWorkspace(in: unfinished) }

    /// Uses a pack in place of `former`, the one that the user was shown; without content, it has to be there.
    ///
    /// The former version stays for `rollback`.
    package func use(
        _ pack: LockedPack, named name: String, content: PackContent?, inPlaceOf former: LockedPack?,
        in lockfile: String
    ) throws {
        try withStoreLock {
            var lock = try self.lock(at: lockfile)
            // Another process may have done the very same meanwhile.
            if lock.packs[name] != pack { try Self.check(lock.packs[name], is: former, name) }
            try Self.checkProviders(of: pack, named: name, in: lock)
            if let content { try place(content, of: pack, named: name) }
            guard holds(pack, named: name) else {
                throw PackError(
                    .notInstalled, "\(name) \(pack.version) is no longer on this machine",
                    hint: "imgscript pack install \(name)@\(pack.version) fetches it again")
            }
            try PackHistory(of: lockfile, in: folder).keep(former, named: name)
            lock.packs[name] = pack
            try write(lock, to: lockfile)
            removeUnused()
        }
    }

    /// Puts the content of a pack that a lockfile names into place, and leaves the lockfile alone.
    package func restore(_ pack: LockedPack, named name: String, content: PackContent, for lockfile: String) throws {
        try withStoreLock {
            try place(content, of: pack, named: name)
            // So that its packs are known to be in use.
            try PackHistory(of: lockfile, in: folder).keep(nil, named: name)
        }
    }

    /// Takes a pack out of a lockfile, and its files away where nothing else uses them.
    package func remove(_ name: String, from lockfile: String) throws -> LockedPack {
        try withStoreLock {
            var lock = try self.lock(at: lockfile)
            guard let pack = lock.packs.removeValue(forKey: name) else {
                throw PackError.notInstalled(name, lock, lockfile)
            }
            try write(lock, to: lockfile)
            try PackHistory(of: lockfile, in: folder).forget(name)
            removeUnused()
            return pack
        }
    }

    /// The version that was used before the one that is, and is still there.
    package func former(of name: String, in lockfile: String) throws -> LockedPack? {
        let current = try lock(at: lockfile).packs[name]
        return try PackHistory(of: lockfile, in: folder).entries(of: name)
            .last { $0.integrity != current?.integrity && holds($0, named: name) }
    }

    private static func check(_ found: LockedPack?, is expected: LockedPack?, _ name: String) throws(PackError) {
        guard found != expected else { return }
        throw PackError(
            .busy, "another imgscript has changed \(name) meanwhile, to \(found?.version ?? "none")",
            hint: "run the command again to see what it would change now")
    }

    /// Refuses a pack with a provider that another has: it would be left to chance which is used.
    static func checkProviders(of pack: LockedPack, named name: String, in lock: PackLock) throws(PackError) {
        for (other, locked) in lock.packs.sorted(by: { $0.key < $1.key }) where other != name {
            guard let id = pack.providers.keys.sorted().first(where: { locked.providers[$0] != nil }) else { continue }
            throw PackError(
                .refused,
                "\(name) has a provider \(id.quoted), and so has \(other) \(locked.version), which is installed",
                hint: "imgscript pack remove \(other) first, if \(name) is to take its place")
        }
    }

    private func withStoreLock<Value>(_ work: () throws -> Value) throws -> Value {
        try StoreFiles.make(unfinished)
        let lock = try FileLock(path: "\(folder)/lock")
        defer { lock.release() }
        return try work()
    }

    private func place(_ content: PackContent, of pack: LockedPack, named name: String) throws(PackError) {
        let path = path(of: pack, named: name)
        try StoreFiles.make(StoreFiles.parent(of: path))
        if archive(of: pack, named: name) == nil {
            let archive = archivePath(of: pack, named: name)
            try DiskFile.write(content.archive.bytes, to: archive, mode: 0o644, replacing: true)
        }
        // Whole, since it came there by one rename, and the same, since its name is its digest: unless somebody changed it.
        if access(path, F_OK) == 0, StoreFiles.isSame(content.folder, path) { return }
        try StoreFiles.flush(content.folder)
        let away = "\(unfinished)/changed-\(getpid())"
        let isChanged = rename(path, away) == 0
        defer { if isChanged { StoreFiles.removeAll(away) } }
        guard rename(content.folder, path) == 0 else { throw StoreFiles.failure(path, "cannot be put into place") }
        StoreFiles.flushNames(in: StoreFiles.parent(of: path))
    }

    private func write(_ lock: PackLock, to path: String) throws {
        let parent = StoreFiles.parent(of: path)
        try StoreFiles.make(parent)
        try StoreFiles.replace(path, with: lock.text)
        StoreFiles.flushNames(in: parent)
    }

    /// Takes away every version that no lockfile names and no rollback leads to.
    private func removeUnused() {
        // Where one lockfile cannot be read, nothing says what it needs: everything stays.
        guard let used = try? PackHistory.used(in: folder) else { return }
        for name in StoreFiles.names(in: "\(folder)/store") {
            let versions = StoreFiles.names(in: "\(folder)/store/\(name)")
            for version in versions {
                let place = version.hasSuffix(".tgz") ? String(version.dropLast(4)) : version
                if used.contains("store/\(name)/\(place)") { continue }
                // Out of the way at once, so that half of it is never found under its name.
                let path = "\(folder)/store/\(name)/\(version)"
                let away = "\(unfinished)/unused-\(getpid())-\(version)"
                guard rename(path, away) == 0 else { continue }
                StoreFiles.removeAll(away)
            }
            rmdir("\(folder)/store/\(name)")
        }
    }
}

extension PackError {
    /// The error of a name that a lockfile does not have.
    package static func notInstalled(_ name: String, _ lock: PackLock, _ lockfile: String) -> PackError {
        let known = lock.packs.keys.sorted()
        return PackError(
            .notInstalled, "there is no pack \(name.quoted) in \(lockfile)",
            hint: known.isEmpty
                ? "imgscript pack list shows the packs of all lockfiles; --user means your own"
                : "there are \(known.joined(separator: ", "))")
    }
}
