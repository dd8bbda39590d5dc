import ProviderModel

/// What is done with the pixels of a fetched file: its hash is computed, then it is converted.
package struct PictureStage: Sendable {
    private let program: PictureProgram
    private let converter: PictureConverter?
    private let computesHash: Bool

    /// What the options ask for; nil for nothing.
    ///
    /// Throws what to install where the program is missing.
    init?(_ options: DownloadOptions) throws(DownloadError) {
        guard options.conversion.isWanted || options.nearDuplicates != nil else { return nil }
        let program = try PictureProgram()
        self.program = program
        converter =
            options.conversion.isWanted ? PictureConverter(conversion: options.conversion, program: program) : nil
        computesHash = options.nearDuplicates != nil
    }

    /// Prepares a verified file; returns what it is then, and the hash of what came.
    func prepare(_ part: PartFile, _ file: FetchedFile) async throws -> (file: FetchedFile, hash: PictureHash?) {
        let hash = computesHash ? try await PictureHash(of: part, file.format, by: program) : nil
        return (try await converter?.convert(part, file) ?? file, hash)
    }
}
