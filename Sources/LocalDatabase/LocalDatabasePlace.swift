/// Who chose where a database lies.
package enum LocalDatabasePlace: Sendable {
    /// The program: whatever lies there is its own.
    case own
    /// The user: what never was a database is somebody's file, named by a slip, and is left alone.
    case named
}
