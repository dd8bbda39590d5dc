import Glibc
import ProviderModel
import ProviderRuntime

/// Installed packs on disk: each version in its own folder, and lockfiles that name those in use.
///
/// A version is stored by one rename, and used from the moment the lockfile is replaced. A process that ends in between
/// leaves the former state; the next one removes its drafts.
package struct PackStore: Sendable {
    /// The state of an installed pack on this machine.
    package enum Condition: Hashable, Sendable {
        /// Every file has the digest in the lockfile.
        case intact
        /// The folder does not exist.
        case missing
        /// Files were changed: phrases such as `sites/boards.js was changed`.
        case changed([String])
        /// The archive to compare with is missing or was changed.
        case unknown
    }

    /// The folder of all packs.
    package let folder: String

    /// A store in a folder, which is created when something is put there.
    package init(folder: String) { self.folder = folder }

    // MARK: Looking

    /// The lockfile at a path; an empty one where there is none.
    package func lockfile(at path: String) throws -> Lockfile { try Lockfile(path: path) ?? Lockfile() }

    /// The folder of a locked pack.
    package func path(of pack: LockedPack, named name: String) -> String { "\(folder)/\(pack.storePath(as: name))" }

    /// Whether a locked pack is on this machine.
    package func holds(_ pack: LockedPack, named name: String) -> Bool {
        access(path(of: pack, named: name), R_OK | X_OK) == 0
    }

    /// The stored archive of a locked pack, which its files are compared with; nil where it is not the locked one.
    package func archive(of pack: LockedPack, named name: String) -> PackArchive? {
        // An unreadable archive is fetched again.
        guard let archive = try? PackArchive(fileAt: archivePath(of: pack, named: name)) else { return nil }
        return archive.integrity.description == pack.integrity ? archive : nil
    }

    /// The state of a locked pack on this machine.
    package func condition(of pack: LockedPack, named name: String) -> Condition {
        guard holds(pack, named: name) else { return .missing }
        guard let archive = archive(of: pack, named: name) else { return .unknown }
        // Without a comparison the state is unknown.
        guard let differences = try? archive.differences(from: path(of: pack, named: name)) else { return .unknown }
        return differences.isEmpty ? .intact : .changed(differences)
    }

    /// The version that was used before the current one, and is still there.
    package func former(of name: String, in lockfile: String) throws -> LockedPack? {
        let current = try self.lockfile(at: lockfile).packs[name]
        return try PackHistory(of: lockfile, in: folder).entries(of: name)
            .last { $0.integrity != current?.integrity && holds($0, named: name) }
    }

    // MARK: Changing

    /// A folder to work in, which is removed with its last reference.
    package func workspace() throws(PackError) -> PackWorkspace { try PackWorkspace(in: "unfinished", below: folder) }

    /// Uses a pack in place of `former`, the one that the user was shown; without content, it has to be there.
    ///
    /// The former version stays for a rollback.
    package func use(
        _ pack: LockedPack, named name: String, content: UnpackedPack?, inPlaceOf former: LockedPack?,
        in lockfile: String
    ) throws {
        try withStoreLock {
            let next = try self.lockfile(at: lockfile).using(pack, named: name, inPlaceOf: former)
            if let content { try place(content, of: pack, named: name) }
            guard holds(pack, named: name) else {
                throw PackError(
                    .notInstalled, "\(name) \(pack.version) is no longer stored on this machine",
                    hint: .installPack("\(name)@\(pack.version)"))
            }
            try PackHistory(of: lockfile, in: folder).add(former, named: name)
            try write(next, to: lockfile)
            removeUnused()
        }
    }

    /// Puts the content of a locked pack into place, and leaves the lockfile alone.
    package func restore(_ pack: LockedPack, named name: String, content: UnpackedPack, for lockfile: String) throws {
        try withStoreLock {
            try place(content, of: pack, named: name)
            // So that its packs are known to be in use.
            try PackHistory(of: lockfile, in: folder).add(nil, named: name)
        }
    }

    /// Takes a pack out of a lockfile, and keeps it for a rollback.
    func setAside(_ pack: LockedPack, named name: String, in lockfile: String) throws {
        try withStoreLock {
            var lock = try self.lockfile(at: lockfile)
            guard lock.packs[name] == pack else {
                throw PackError(.busy, "\(name) was changed by another process", hint: "run the command again")
            }
            lock.packs[name] = nil
            try PackHistory(of: lockfile, in: folder).add(pack, named: name)
            try write(lock, to: lockfile)
        }
    }

    /// Throws for an archive that an index has revoked.
    func checkRevocation(of integrity: String) throws(PackError) {
        guard let entry = RevokedPacks(in: folder)[integrity] else { return }
        throw PackError(
            .revoked, "\(entry.name) \(entry.version) was \(entry.text)", subject: entry.name,
            hint: entry.replacement.map { .installPack("\(entry.index):\(entry.name)@\($0)") })
    }

    /// Removes a pack from a lockfile, and its files where nothing else uses them.
    package func remove(_ name: String, from lockfile: String) throws -> LockedPack {
        try withStoreLock {
            var lock = try self.lockfile(at: lockfile)
            guard let pack = lock.packs.removeValue(forKey: name) else {
                throw PackError.notInstalled(name, lock, lockfile)
            }
            try write(lock, to: lockfile)
            try PackHistory(of: lockfile, in: folder).remove(name)
            removeUnused()
            return pack
        }
    }

    // MARK: Files

    /// Where things lie until they are complete, or until they are removed.
    private var unfinished: String { "\(folder)/unfinished" }

    private func archivePath(of pack: LockedPack, named name: String) -> String { path(of: pack, named: name) + ".tgz" }

    private func withStoreLock<Value>(_ work: () throws -> Value) throws -> Value {
        try FileSystem.makeFolder("unfinished", below: folder)
        let lock = try FileLock(path: "\(folder)/lock")
        defer { lock.release() }
        return try work()
    }

    private func place(_ content: UnpackedPack, of pack: LockedPack, named name: String) throws(PackError) {
        let path = path(of: pack, named: name)
        try FileSystem.makeFolder(FileSystem.parent(of: pack.storePath(as: name)), below: folder)
        if archive(of: pack, named: name) == nil {
            try FileSystem.write(content.archive.bytes, to: archivePath(of: pack, named: name))
        }
        // It came there whole by one rename, and its name is its digest: it is the same unless it was changed.
        if condition(of: pack, named: name) == .intact { return }
        try FileSystem.flush(content.folder)
        let changed = "\(unfinished)/changed-\(getpid())"
        let wasThere = rename(path, changed) == 0
        defer { if wasThere { FileSystem.remove(changed) } }
        guard rename(content.folder, path) == 0 else { throw FileSystem.failure("move into place", path) }
        FileSystem.flushNames(in: FileSystem.parent(of: path))
    }

    private func write(_ lock: Lockfile, to path: String) throws {
        try FileSystem.makeFolder(FileSystem.parent(of: path))
        try FileSystem.write(Array(try lock.text.utf8), to: path)
    }

    /// Removes every version that no lockfile names and no rollback needs.
    private func removeUnused() {
        // What an unreadable lockfile needs is unknown: everything stays.
        guard let used = try? PackHistory.used(in: folder) else { return }
        let store = "\(folder)/store"
        for name in (try? FileSystem.names(in: store)) ?? [] {  // Unread folders stay as well.
            for version in (try? FileSystem.names(in: "\(store)/\(name)")) ?? [] {
                let folder = version.hasSuffix(".tgz") ? String(version.dropLast(4)) : version
                if used.contains("store/\(name)/\(folder)") { continue }
                // Out of the way at once, so that half of it is never found under its name.
                let unused = "\(unfinished)/unused-\(getpid())-\(version)"
                guard rename("\(store)/\(name)/\(version)", unused) == 0 else { continue }
                FileSystem.remove(unused)
            }
            rmdir("\(store)/\(name)")
        }
    }
}

extension Lockfile {
    /// The lockfile with a pack in place of `former`; refuses it where another process changed the pack meanwhile, or
    /// where another pack has one of its providers: it would be left to chance which is used.
    func using(
        _ pack: LockedPack, named name: String, inPlaceOf former: LockedPack?
    ) throws(PackError) -> Lockfile {
        let current = packs[name]
        // Another process may have done the very same.
        guard current == pack || current == former else {
            throw PackError(
                .busy, "\(name) was changed by another process, to \(current?.version ?? "none")",
                hint: "run the command again")
        }
        // The core pack stands back behind every other, as the sources that ship do.
        let others = name == CorePack.name ? [:] : packs.filter { $0.key != name && $0.key != CorePack.name }
        for (other, locked) in others.sorted(by: { $0.key < $1.key }) {
            guard let id = pack.providers.keys.sorted().first(where: { locked.providers[$0] != nil }) else { continue }
            throw PackError(
                .refused,
                "\(name) has the provider \(id.quoted), as does the installed \(other) \(locked.version)",
                hint: .several(["remove that pack first", .removePack(other)]))
        }
        var next = self
        next.packs[name] = pack
        return next
    }
}

extension PackError {
    /// The error of a name that a lockfile does not have.
    package static func notInstalled(_ name: String, _ lock: Lockfile, _ lockfile: String) -> PackError {
        let installed = lock.packs.keys.sorted().joined(separator: ", ")
        return PackError(
            .notInstalled, "no pack \(name.quoted) in \(lockfile)",
            hint: installed.isEmpty ? .listPacks : "installed: \(installed)")
    }
}
