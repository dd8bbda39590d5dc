import ProviderModel

/// Says at the last moment where a file is to be fetched: URLs expire, and some sources want to be asked.
package protocol MediaResolver: Sendable {
    /// The file to fetch instead of the planned one; nil for that.
    nonisolated(nonsending) func media(for planned: PlannedDownload) async throws -> Media?
}
