import GRDB
import Glibc

/// Why a local database cannot be used.
package struct LocalDatabaseError: Error, CustomStringConvertible {
    /// What a caller may handle differently.
    package enum Code: String, Sendable, CaseIterable {
        /// The file is no database, or a part of it is lost; it was moved aside once already.
        case damaged
        /// No room is left on the disk.
        case full
        /// Another process kept it locked for longer than the patience allows.
        case locked
        /// File or folder may not be written.
        case readOnly
        /// A newer version of the program made it.
        case newer
        /// It is another program's file.
        case foreign
        /// It cannot be opened, read or written for another reason, or was closed.
        case unavailable
        /// SQLite did not take a statement: a mistake of the caller's, such as a violated constraint.
        case statement
    }

    /// What a caller may handle differently.
    package let code: Code
    /// The file.
    package let path: String
    /// What was found, and what to do next.
    package let message: String
    /// What lies beneath.
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
        let said = error.message ?? error.resultCode.description
        self.init(code, path: path, message: Self.sentence(code, path: path, said: said), cause: error)
    }

    /// What is said of another program's file.
    static func foreign(_ path: String, said: String) -> LocalDatabaseError {
        LocalDatabaseError(.foreign, path: path, message: sentence(.foreign, path: path, said: said))
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

    private static func sentence(_ code: Code, path: String, said: String) -> String {
        switch code {
        case .damaged: "the database \(path) is damaged (\(said))"
        case .full: "no room is left for the database \(path) (\(said)); free some space"
        case .locked: "the database \(path) is locked by another process (\(said)); try again when that has ended"
        case .readOnly: "the database \(path) may not be written (\(said)); check the permissions of file and folder"
        case .newer: "the database \(path) was made by a newer version (\(said)); update this program"
        case .foreign: "\(path) is another program's file (\(said)), and is left alone; name another path"
        case .unavailable where isFolder(path): "\(path) is a folder, expected the file of a database; name a file"
        case .unavailable: "the database \(path) cannot be used (\(said)); check the file and its disk"
        case .statement: "the database \(path) did not take a statement: \(said)"
        }
    }
}
