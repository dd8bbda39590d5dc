/// A rule by which a run reads its inputs: file by file, in their order.
package protocol ReadingRule: Sendable {
    /// Takes a file into account.
    ///
    /// - Parameters:
    ///   - key: the file.
    ///   - isNew: whether it is not there yet.
    /// - Returns: whether it is wanted.
    func admits(_ key: MediaKey, isNew: Bool) -> Bool

    /// Whether no more inputs are wanted.
    var isOver: Bool { get }
}
