extension PackArchive {
    /// What is not in a folder as it is in the archive, as phrases: `README.md was changed`; nothing is written.
    func differences(from folder: String) throws(PackError) -> [String] {
        let content = try content()
        var differences: [String] = []
        try ArchiveContent.reading(content.tar) { reader throws(PackError) in
            while let entry = try reader.next() {
                guard let size = entry.size, let path = ArchiveContent.inner(entry.path) else { continue }
                let expected = try reader.rest(size)
                guard case .file? = try? DiskFolder.kind(of: "\(folder)/\(path)") else {
                    differences.append("\(path) is gone")
                    continue
                }
                // One that cannot be read, or has grown beyond all measure, is not what was installed.
                let found = try? DiskFile.bytes(at: "\(folder)/\(path)", limit: size)
                if found != expected { differences.append("\(path) was changed") }
            }
        }
        let known = Set(content.files.map(\.path))
        return differences + (try Self.files(in: folder)).filter { !known.contains($0) }.map { "\($0) was added" }
    }

    /// All that lies in a folder but the folders in it, as paths from there.
    private static func files(in folder: String, below path: String = "") throws(PackError) -> [String] {
        var files: [String] = []
        for name in try DiskFolder.names(in: "\(folder)/\(path)") {
            let inner = path.isEmpty ? name : "\(path)/\(name)"
            if case .folder = try DiskFolder.kind(of: "\(folder)/\(inner)") {
                files += try self.files(in: folder, below: inner)
            } else {
                files.append(inner)
            }
        }
        return files
    }
}
