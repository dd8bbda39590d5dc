/// How an installed pack is found on this machine.
package enum PackCondition: Hashable, Sendable {
    /// Every file is the one that the lockfile names.
    case whole
    /// It is not there.
    case missing
    /// Files are not as they were installed: phrases such as `sites/boards.js was changed`.
    case changed([String])
    /// The archive that its files would be compared with was not kept, or was changed itself.
    case unknown
}
