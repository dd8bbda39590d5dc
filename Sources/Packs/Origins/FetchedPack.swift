/// A pack's archive as it came, with what its origin says about it.
package struct FetchedPack: Sendable {
    /// Where it was asked for.
    package let source: PackSource
    /// The archive.
    package let archive: PackArchive
    /// Where exactly it came from; nil where the source says it.
    package var resolved: String?
    /// What the archive has to hold.
    var expectation = PackExpectation.anything
    /// The minisign signature beside it; nil where there was none.
    package var signature: PackSignature?
    /// The registry's key that signed it; nil where no registry did.
    package var registryKey: String?
    /// What the user should know: sentences.
    package var remarks: [String] = []

    init(_ source: PackSource, _ archive: PackArchive) {
        self.source = source
        self.archive = archive
    }
}
