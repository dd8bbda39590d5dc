import GRDB
import Glibc

/// The database of another program, which may be running: it is read from a private copy.
package enum ForeignDatabase {
    /// Returns what the closure reads from a copy of the file and of its log, which are removed afterwards.
    ///
    /// A copy that was made while the program wrote may be damaged, and is made once more.
    ///
    /// - Throws: ``LocalDatabaseError``, and unchanged what the closure throws besides.
    package static func read<Result>(copyOf path: String, _ body: (Database) throws -> Result) throws -> Result {
        do { return try readOnce(path, body) } catch let error as DatabaseError {
            guard [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) else {
                throw LocalDatabaseError(error, path: path)
            }
        }
        do { return try readOnce(path, body) } catch let error as DatabaseError {
            throw LocalDatabaseError(error, path: path)
        }
    }

    private static func readOnce<Result>(_ path: String, _ body: (Database) throws -> Result) throws -> Result {
        let folder = try makeFolder(for: path)
        let copy = "\(folder)/copy.sqlite"
        let files = ["", "-wal", "-shm", "-journal"].map { copy + $0 }
        defer {
            for file in files { unlink(file) }
            rmdir(folder)
        }
        try self.copy(path, to: copy)
        if access("\(path)-wal", F_OK) == 0 { try self.copy("\(path)-wal", to: "\(copy)-wal") }
        let queue = try DatabaseQueue(path: copy)
        defer { try? queue.close() }  // nothing was written
        return try queue.unsafeRead(body)
    }

    /// A folder that only the user can read, in memory where the system has one for that.
    private static func makeFolder(for path: String) throws(LocalDatabaseError) -> String {
        let parents = [getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR")].compactMap { $0.map { String(cString: $0) } }
        for parent in parents.filter({ $0.hasPrefix("/") }) + ["/tmp"] {
            var template = Array("\(parent)/imgscript-XXXXXX".utf8CString)
            if mkdtemp(&template) != nil { return String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self) }
        }
        throw failure("make a copy of", path)
    }

    private static func copy(_ path: String, to copy: String) throws(LocalDatabaseError) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw failure("read", path) }
        defer { close(source) }
        let target = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw failure("make a copy of", path) }
        defer { close(target) }
        while true {
            let count = sendfile(target, source, nil, 1 << 20)
            if count == 0 { return }
            guard count > 0 || errno == EINTR else { throw failure("make a copy of", path) }
        }
    }

    private static func failure(_ action: String, _ path: String) -> LocalDatabaseError {
        LocalDatabaseError(
            .unavailable, path: path, message: "could not \(action) \(path): \(String(cString: strerror(errno)))")
    }
}
