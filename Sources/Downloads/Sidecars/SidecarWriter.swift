import ProviderModel

/// Writes what is known of each file beside it: `fox.jpg.json` for `fox.jpg`.
package struct SidecarWriter: DownloadPostprocessor {
    private let folder: DownloadFolder
    private let now: @Sendable () -> Int

    /// A writer for the files of this folder; `now` is the time of day in seconds since 1970.
    package init(folder: DownloadFolder, now: @escaping @Sendable () -> Int) {
        self.folder = folder
        self.now = now
    }

    /// The path of a file's sidecar.
    package static func path(for path: String) -> String { path + ".json" }

    package var needsSHA256: Bool { true }

    package func note(_ file: DownloadedFile) throws {
        let sidecar = Sidecar(file.planned, from: file.media, at: file.path, file.file, time: now())
        try write(sidecar, besides: file.path, file.planned.key)
    }

    /// Adds what is missing: the run that fetched the file may have been killed, or asked for no sidecars.
    package func note(_ wanted: WantedFile, presentAt path: String, _ record: () throws -> ArchiveRecord?) throws {
        guard folder.hasFile(at: path), !folder.hasFile(at: Self.path(for: path)) else { return }
        let record = try record()
        let sidecar: Sidecar
        if let record, record.hash.sha256 != nil {
            sidecar = Sidecar(wanted, at: path, bytes: record.bytes, record.hash, time: record.time)
        } else {
            guard let found = FolderStore(folder).hash(of: path, withSHA256: true) else { return }
            sidecar = Sidecar(wanted, at: path, bytes: found.bytes, found.hash, time: record?.time ?? now())
        }
        try write(sidecar, besides: path, wanted.key)
    }

    private func write(_ sidecar: Sidecar, besides path: String, _ key: MediaKey) throws(DownloadError) {
        do {
            let place = try folder.place(of: Self.path(for: path))
            try ReplacementFile.write(sidecar.json, to: place.name, in: place.folder)
        } catch {
            // Whoever is writing it has the same to say.
            guard error.code != .busy else { return }
            throw DownloadError(
                error.code, "\(path) is there, but not its sidecar: \(error.message)", subject: key,
                cause: error)
        }
    }
}
