import Glibc
import ProviderModel

/// Writes one archive with what it held before and new files, their metadata and credits.
struct BundleWriter: Sendable {
    let bundle: DownloadOptions.Bundle
    let folder: DownloadFolder
    let archive: DownloadArchive?
    let credits: CreditLedger?
    let now: @Sendable () -> Int

    /// The file in each archive that says what the others are: a line for each, which `--input` reads, too.
    private static let metadataName = "metadata.jsonl"
    private static let comicName = "ComicInfo.xml"
    private static let generated = Set([metadataName, comicName] + CreditFormat.allCases.map(\.fileName))

    /// A file of the archive by its name there.
    private struct Line {
        let key: MediaKey?
        let text: [UInt8]
    }

    /// What an archive held before.
    private struct Previous {
        var names: Set<String> = []
        var lines: [String: Line] = [:]

        /// The names of the files by what they are.
        var keys: [MediaKey: String] {
            var keys: [MediaKey: String] = [:]
            for (name, line) in lines { if let key = line.key { keys[key] = name } }
            return keys
        }
    }

    /// A file of the folder with its name in the archive.
    private struct Addition {
        let name: String
        let path: String
    }

    /// Writes the archive at a path below the folder, and removes the files that it holds; nil where there are none.
    ///
    /// - Returns: how many files it holds now, and where those of the run are.
    /// - Throws: ``DownloadError``, and `CancellationError` when it is stopped; then all is as it was.
    func write(_ group: BundleStage.Group, to path: String, _ isStopped: () -> Bool) throws -> BundleResult? {
        let members = group.members.filter { folder.hasFile(at: $0.path) }
        let removed = group.members.filter { !folder.hasFile(at: $0.path) }
        guard !members.isEmpty else {
            try repair(removed, in: path)
            return nil
        }
        let (target, name) = try folder.location(of: path)
        let part = try PartFile(Self.partName(of: path), in: try folder.folder(Self.parts))
        let named: [(member: BundleStage.Member, name: String)]
        let count: Int
        do {
            try part.setLength(0)
            let previous = try previous(at: path)
            named = BundleNames(bundle.format, taken: previous.names, known: previous.keys).names(for: members)
            count = try write(named, previous, of: group, from: path, to: part, isStopped)
            // The files are removed next: what holds them has to be on the disk before that.
            guard fsync(part.descriptor) == 0 else { throw target.failure(errno, "write", part.path) }
            try part.replace(name, in: target)
        } catch {
            part.remove()
            throw error
        }
        fsync(target.descriptor)
        for member in members { remove(member.path) }
        try move(named, into: path)
        try repair(removed, in: path)
        let paths = Dictionary(named.map { ($0.member.path, "\(path)/\($0.name)") }) { $1 }
        return BundleResult(path: path, files: count, paths: paths, failure: nil)
    }

    /// Says where files are that a run removed which was killed before it could say so.
    private func repair(_ members: [BundleStage.Member], in path: String) throws(DownloadError) {
        guard !members.isEmpty, folder.hasFile(at: path) else { return }
        let names = try previous(at: path).keys
        let known = members.compactMap { member in names[member.key].map { (member: member, name: $0) } }
        if !known.isEmpty { try move(known, into: path) }
    }

    private static let parts = [DownloadFolder.ownName, "bundles"]

    static func partName(of path: String) -> String { MediaKey(stored: path).digits(16) + ".part" }

    // MARK: Content

    private func write(
        _ named: [(member: BundleStage.Member, name: String)], _ previous: Previous, of group: BundleStage.Group,
        from path: String, to part: PartFile, _ isStopped: () -> Bool
    ) throws -> Int {
        let writer = try ZIPWriter(to: part.descriptor, path: folder.path + "/" + path)
        var waiting = named.flatMap { additions($0.member, as: $0.name) }.sorted { $0.name > $1.name }
        let keys = Set(named.map(\.member.key))
        var lines = previous.lines.filter { line in line.value.key.map { !keys.contains($0) } ?? true }
        let replaced = Set(previous.lines.keys).subtracting(lines.keys)
        func addWaiting(before name: String?) throws {
            while let next = waiting.last, name.map({ next.name < $0 }) ?? true {
                guard !isStopped() else { throw CancellationError() }
                try add(next, to: writer)
                waiting.removeLast()
            }
        }
        if let descriptor = folder.file(at: path) {
            let old = DescriptorContent(owning: descriptor)
            let reader = try ZIPReader(old.descriptor, path: folder.path + "/" + path)
            while let entry = try reader.next() {
                let isReplaced = replaced.contains(entry.name) || replaced.contains(entry.name.droppingTagEnding)
                guard !isReplaced, !Self.generated.contains(entry.name) else { continue }
                try addWaiting(before: entry.name)
                guard !isStopped() else { throw CancellationError() }
                try writer.add(entry.name, bytes: entry.bytes, time: entry.time) { () throws(DownloadError) in
                    try reader.read()
                }
            }
        }
        try addWaiting(before: nil)
        for (member, name) in named { lines[name] = try line(of: member, as: name) }
        try addMetadata(lines.sorted { $0.key < $1.key }, of: group, to: writer)
        try writer.finish()
        return lines.count
    }

    /// A file and its sidecar of tags.
    private func additions(_ member: BundleStage.Member, as name: String) -> [Addition] {
        let tags = SidecarFormat.tags.path(for: member.path)
        let own = Addition(name: name, path: member.path)
        return folder.hasFile(at: tags) ? [own, Addition(name: SidecarFormat.tags.path(for: name), path: tags)] : [own]
    }

    private func add(_ file: Addition, to writer: ZIPWriter) throws(DownloadError) {
        guard let descriptor = folder.file(at: file.path) else {
            throw DownloadError(.file, "could not read \(file.path): it was removed by another program")
        }
        try self.folder.root.observer?.willChange(.write)
        let content = DescriptorContent(owning: descriptor)
        var status = stat()
        fstat(descriptor, &status)
        var offset = 0
        try writer.add(file.name, bytes: content.count, time: Int(status.st_mtim.tv_sec)) { () throws(DownloadError) in
            let piece = try content.bytes(at: offset, count: 256 << 10)
            offset += piece.count
            return piece
        }
    }

    private func addMetadata(
        _ lines: [(key: String, value: Line)], of group: BundleStage.Group, to writer: ZIPWriter
    ) throws(DownloadError) {
        let time = now()
        let files = lines.compactMap { name, line in line.key.map { (key: $0, path: name) } }
        for (name, text) in try credits?.texts(of: files) ?? [] { try writer.add(name, text, time: time) }
        if bundle.format == .cbz {
            let xml = Array(ComicInformation(group.owner, title: bundle.name, pages: lines.count).xml.utf8)
            let redaction = group.source.credentials?.redaction
            try writer.add(Self.comicName, redaction?.redact(xml) ?? xml, time: time)
        }
        try writer.add(Self.metadataName, Array(lines.map(\.value.text).joined()), time: time)
    }

    /// The metadata of a file, from its sidecar, with its name in the archive.
    private func line(of member: BundleStage.Member, as name: String) throws(DownloadError) -> Line {
        var json = JSONWriter()
        json.object { json in
            json.member("file", name)
            json.name("fetched")
            json.object { $0.member("key", member.key.description) }
        }
        var text = json.bytes + [UInt8(ascii: "\n")]
        if let descriptor = folder.file(at: SidecarFormat.json.path(for: member.path)) {
            let content = DescriptorContent(owning: descriptor)
            let sidecar = try content.bytes(at: 0, count: content.count)
            var beginning = JSONWriter()
            beginning.object { $0.member("file", name) }
            if sidecar.first == UInt8(ascii: "{"), sidecar.last == 0x0a {
                text = beginning.bytes.dropLast() + [UInt8(ascii: ",")] + sidecar.dropFirst()
            }
        }
        return Line(key: member.key, text: text)
    }

    // MARK: What was there, and what is no longer needed

    /// What the archive holds that is there; throws where it was not written here.
    private func previous(at path: String) throws(DownloadError) -> Previous {
        guard let descriptor = folder.file(at: path) else { return Previous() }
        let content = DescriptorContent(owning: descriptor)
        let reader = try ZIPReader(content.descriptor, path: folder.path + "/" + path)
        var previous = Previous()
        var metadata: [UInt8]?
        while let entry = try reader.next() {
            if entry.name == Self.metadataName {
                metadata = try reader.content()
            } else if !Self.generated.contains(entry.name) {
                previous.names.insert(entry.name)
            }
        }
        guard let metadata else {
            throw DownloadError(.file, "\(folder.path)/\(path) was not written by imgscript, and is not overwritten")
        }
        for text in metadata.split(separator: 0x0a) {
            guard let json = JSONValue.found(in: text), let name = json["file"]?.textValue else { continue }
            let key = json["fetched"]?["key"]?.textValue.map { MediaKey(stored: $0) }
            previous.lines[name] = Line(key: key, text: Array(text) + [0x0a])
        }
        return previous
    }

    /// Says where the files are now.
    private func move(
        _ named: [(member: BundleStage.Member, name: String)], into path: String
    ) throws(DownloadError) {
        let moved = named.map { (key: $0.member.key, path: "\(path)/\($0.name)") }
        let wanted = named.compactMap { file in file.member.substituted.map { (key: $0, path: "\(path)/\(file.name)") }
        }
        try archive?.move(moved + wanted)
        try credits?.move(moved)
    }

    private func remove(_ path: String) {
        for path in [path] + SidecarFormat.allCases.map({ $0.path(for: path) }) {
            // What cannot be removed is taken in once more by the next run.
            guard let (folder, name) = try? folder.location(of: path) else { continue }
            folder.remove(name)
        }
    }
}

extension String {
    /// The name of the file that a sidecar of tags is of.
    fileprivate var droppingTagEnding: String { hasSuffix(".txt") ? String(dropLast(4)) : self }
}
