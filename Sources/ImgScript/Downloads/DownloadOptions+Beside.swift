import Downloads

extension ImageEngine.DownloadOptions {
    /// A file that says whose the images of a folder are, kept up to date with every run.
    public enum CreditFile: String, Hashable, Sendable, CaseIterable {
        /// `credits.md`, for people.
        case markdown = "md"
        /// `credits.json`, for programs.
        case json
    }

    /// The shape that the images come in.
    public enum Output: Hashable, Sendable {
        /// One file for each.
        case files
        /// Tar files of many, each image with its JSON, as Python's `webdataset` reads them.
        case shards(ShardSize)
    }

    /// When a tar file is full.
    public struct ShardSize: Hashable, Sendable {
        let size: Downloads.ShardSize

        /// A gigabyte.
        public static let standard = ShardSize(size: .standard)

        private init(size: Downloads.ShardSize) { self.size = size }

        /// Reads `1GB`, `500MB`, or a number of images such as `10000`; throws when it is none of these.
        public init(_ text: String) throws {
            do throws(DownloadError) { size = try Downloads.ShardSize(text) } catch {
                throw ImageEngine.DownloadFailure(error)
            }
        }
    }

    /// One of N parts of the inputs, which the identity of an image alone decides: N runs share a list without talking.
    public struct Part: Hashable, Sendable {
        let part: InputPart

        /// Reads `3/8`; throws when it is no part.
        public init(_ text: String) throws {
            do throws(DownloadError) { part = try InputPart(text) } catch { throw ImageEngine.DownloadFailure(error) }
        }
    }
}

extension ImageEngine.DownloadOptions {
    /// What goes along with the files of a folder, in the order in which it has to happen.
    func companions(
        in folder: DownloadFolder, now: @escaping @Sendable () -> Int, warning: @escaping @Sendable (String) -> Void
    ) throws(DownloadError) -> [any DownloadPostprocessor] {
        var companions: [any DownloadPostprocessor] = []
        if writesMetadata { companions.append(try MetadataWriter()) }
        if writesSidecars, output == .files { companions.append(SidecarWriter(folder: folder, now: now)) }
        if !credits.isEmpty {
            let formats = CreditFile.allCases.filter(credits.contains).compactMap {
                CreditFormat(rawValue: $0.rawValue)
            }
            companions.append(try CreditLedger(folder: folder, formats: formats, warning: warning))
        }
        return companions
    }
}
