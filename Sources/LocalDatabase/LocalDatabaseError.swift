import GRDB
import Glibc

/// Why a local database cannot be used.
package struct LocalDatabaseError: Error, CustomStringConvertible {
    /// What a caller may handle differently.
    package enum Code: String, Sendable, CaseIterable {
        /// The file is not a database, or part of it is lost; it was moved aside once already.
        case damaged
        /// The disk is full.
        case full
        /// Another process kept it locked for longer than the timeout.
        case locked
        /// File or folder may not be written.
        case readOnly
        /// A newer version of the program made it.
        case newer
        /// It is another program's file.
        case foreign
        /// It cannot be opened, read or written for another reason, or was closed.
        case unavailable
        /// SQLite refused a statement: a mistake of the caller's, such as a violated constraint.
        case statement
    }

    /// What a caller may handle differently.
    package let code: Code
    /// The file.
    package let path: String
    /// What was found, and what was expected.
    package let message: String
    /// The underlying error.
    package let cause: (any Error)?

    /// An error.
    package init(_ code: Code, path: String, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.path = path
        self.message = message
        self.cause = cause
    }

    /// The message.
    package var description: String { message }

    /// What SQLite's error means to a caller.
    init(_ error: DatabaseError, path: String) {
        let code = Self.code(of: error)
        let found = error.message ?? error.resultCode.description
        self.init(code, path: path, message: Self.sentence(code, path: path, found: found), cause: error)
    }

    /// Another program's file.
    static func foreign(_ path: String, found: String) -> LocalDatabaseError {
        LocalDatabaseError(.foreign, path: path, message: sentence(.foreign, path: path, found: found))
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
        case .unavailable where isFolder(path): "\(path) is a folder (expected a database file)"
        case .unavailable: "could not use the database \(path) (\(found))"
        case .statement: "the database \(path) rejected a statement: \(found)"
        }
    }
}

extension LocalDatabaseError {
    /// What a failed system call means to a caller.
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
