import GRDB
import Glibc

/// Why a local database cannot be used.
package struct LocalDatabaseError: Error, CustomStringConvertible {
    /// The kind of a failure; `locked` and `full` may pass.
    package enum Code: String, Sendable, CaseIterable {
        /// The file is not a database, or is damaged, after it was moved aside once.
        case damaged
        /// The disk is full.
        case full
        /// Another process held the lock for longer than the timeout.
        case locked
        /// File or folder may not be written.
        case readOnly
        /// The file has the schema of a newer version of the program.
        case newer
        /// It is another program's file.
        case foreign
        /// A symbolic link lies at its path, or at that of a file beside it.
        case link
        /// It cannot be opened, read or written for another reason, or was closed.
        case unavailable
        /// SQLite rejected a statement, such as one that violates a constraint: a programming error.
        case statement
    }

    /// The kind of the failure.
    package let code: Code
    /// The database's file.
    package let path: String
    /// What was found, and what was expected.
    package let message: String
    /// The underlying error.
    package let cause: (any Error)?

    /// Creates an error.
    package init(_ code: Code, path: String, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.path = path
        self.message = message
        self.cause = cause
    }

    /// The ``message``.
    package var description: String { message }

    /// Translates an error of SQLite.
    init(_ error: DatabaseError, path: String) {
        let code = Self.code(of: error)
        let found = error.message ?? error.resultCode.description
        self.init(code, path: path, message: Self.sentence(code, path: path, found: found), cause: error)
    }

    /// Another program's file.
    static func foreign(_ path: String, found: String) -> LocalDatabaseError {
        LocalDatabaseError(.foreign, path: path, message: sentence(.foreign, path: path, found: found))
    }

    /// A file of ours that is not as it was written.
    static func damaged(_ path: String, found: String) -> LocalDatabaseError {
        LocalDatabaseError(.damaged, path: path, message: sentence(.damaged, path: path, found: found))
    }

    /// The same for a file whose tables SQLite cannot even list, whatever it says of the reason.
    var asDamage: LocalDatabaseError {
        guard code == .statement else { return self }
        return .damaged(path, found: (cause as? DatabaseError)?.message ?? message)
    }

    /// A link where a file of the database is expected.
    static func link(_ name: String, of path: String) -> LocalDatabaseError {
        LocalDatabaseError(.link, path: path, message: sentence(.link, path: name, found: ""))
    }

    private static func code(of error: DatabaseError) -> Code {
        switch error.extendedResultCode {
        // A page beyond the end of the file; and a shared-memory file that could not grow.
        case .SQLITE_IOERR_SHORT_READ: return .damaged
        case .SQLITE_IOERR_SHMSIZE: return .full
        default: break
        }
        return switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged
        case .SQLITE_FULL: .full
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: .locked
        case .SQLITE_READONLY, .SQLITE_PERM: .readOnly
        case .SQLITE_CANTOPEN, .SQLITE_IOERR, .SQLITE_NOMEM, .SQLITE_NOLFS, .SQLITE_AUTH: .unavailable
        default: .statement
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    private static func sentence(_ code: Code, path: String, found: String) -> String {
        switch code {
        case .damaged: "the database \(path) is damaged (\(found))"
        case .full: "no space left on the disk for the database \(path) (\(found))"
        case .locked: "the database \(path) is locked by another process (\(found))"
        case .readOnly: "no permission to write the database \(path) (\(found))"
        case .newer: "the database \(path) was made by a newer version of this program (\(found))"
        case .foreign: "\(path) belongs to another program (\(found)), and is not changed"
        case .link: "\(path) is a symbolic link, which is not followed (expected a file: remove the link)"
        case .unavailable where isFolder(path): "\(path) is a folder (expected a database file)"
        case .unavailable: "could not use the database \(path) (\(found))"
        case .statement: "the database \(path) rejected a statement: \(found)"
        }
    }
}

extension LocalDatabaseError {
    /// Translates a failed system call.
    init(errno number: Int32, path: String, doing what: String) {
        let found = "\(what): \(String(cString: strerror(number)))"
        let code: Code =
            switch number {
            case ENOSPC, EDQUOT: .full
            case EACCES, EPERM, EROFS: .readOnly
            default: .unavailable
            }
        self.init(code, path: path, message: Self.sentence(code, path: path, found: found))
    }
}
