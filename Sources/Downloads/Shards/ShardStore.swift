import Glibc
import ProviderModel
import Synchronization

/// Finished files as samples in tar shards, as Python's `webdataset` reads them: `fox.jpg` and `fox.json` side by side.
///
/// Each process writes a shard of its own, `00000.tar.part`, which gets its name when it is full or the work is done. A
/// sample is in it before its own unfinished file is given up, so that a killed run loses none that was whole; the next
/// run goes on behind the last one.
package final class ShardStore: DownloadStore {
    private struct State {
        var current: ShardFile?
    }

    package let needsSHA256 = true
    private let folder: DownloadFolder
    private let limit: ShardSize
    private let index: ShardIndex
    private let now: @Sendable () -> Int
    // A shard is written by the process that holds its lock.
    private let state = Mutex(State())

    /// Shards in this folder; `now` is the time of day in seconds since 1970, `warning` is called when the index was damaged.
    package init(
        folder: DownloadFolder, limit: ShardSize = .default, now: @escaping @Sendable () -> Int,
        warning: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(DownloadError) {
        self.folder = folder
        self.limit = limit
        self.now = now
        index = try ShardIndex(folder: folder, warning: warning)
        try readUnknownShards()
        // A killed run may have added a sample that the index does not know yet: nothing is looked for before it does.
        try state.withLock { (state) throws(DownloadError) in
            for number in try unfinishedShards() {
                let shard = try opened(number)
                if state.current == nil { state.current = shard }
            }
        }
    }

    package func existing(_ planned: PlannedFile, underAnyEnding: Bool) throws(DownloadError) -> String? {
        guard let sample = try index.sample(of: planned.key), isThere(sample.shard) else { return nil }
        // A run that was killed at that very moment left the file that the sample was made of.
        try parts.remove(planned.partName)
        return sample.path
    }

    package func open(_ planned: PlannedFile) throws(DownloadError) -> PartFile {
        try PartFile(planned.partName, in: try parts)
    }

    private var parts: OpenFolder {
        get throws(DownloadError) { try folder.folder([DownloadFolder.ownName, "parts"]) }
    }

    package func path(for planned: PlannedFile, _ file: FetchedFile) throws(DownloadError) -> String? { nil }

    package func keep(_ fetched: FetchedDownload, at path: String?) throws(DownloadError) -> String {
        let (planned, file) = (fetched.planned, fetched.file)
        guard let sha256 = file.sha256 else { preconditionFailure("a file for a shard was not hashed") }
        let ending = file.format?.fileEnding ?? planned.request.media.url.fileEnding ?? planned.expectedEnding
        let sample = try state.withLock { (state) throws(DownloadError) in
            let name = try name(for: planned)
            let time = now()
            let json = Sidecar(
                planned.request, from: fetched.media, at: "\(name).\(ending)", sha256: sha256, bytes: file.bytes,
                format: file.format, size: file.size, time: time
            ).json
            let length = ShardFile.length(file.bytes, json: json.count, as: name, ending: ending)
            let shard = try shard(withRoomFor: length, &state)
            try shard.add(fetched.part, file.bytes, json: json, as: name, ending: ending, time: time)
            let sample = ShardIndex.Sample(
                key: planned.key, shard: shard.number, name: name, ending: ending, sha256: sha256, bytes: file.bytes)
            try index.add(sample)
            return sample
        }
        fetched.part.remove()
        return sample.path
    }

    package func has(_ path: String) -> Bool {
        ShardFile.number(of: String(path.prefix { $0 != "/" })).map { isThere($0.number) } ?? false
    }

    package func holds(_ record: ArchiveRecord, _ content: [UInt8]) -> Bool {
        // What cannot be read is not there to be relied on.
        guard let sample = try? index.sample(of: record.key) else { return false }
        return sample.sha256 == record.sha256 && content == record.content && isThere(sample.shard)
    }

    package func share(_ part: PartFile, contentOf record: ArchiveRecord) -> Bool { false }

    package func content(of path: String) -> (sha256: [UInt8], bytes: Int)? { nil }

    package func facts(of path: String) throws(DownloadError) -> FileFacts {
        guard let sample = try index.sample(at: path) else {
            throw DownloadError(.file, "could not find \(path) in the index of shards")
        }
        return FileFacts(bytes: sample.bytes, sha256: sample.sha256)
    }

    /// Closes the last shard when all is done; otherwise the next run goes on with it.
    package func finish(isComplete: Bool) throws(DownloadError) {
        try state.withLock { (state) throws(DownloadError) in
            defer { state.current = nil }
            guard isComplete else { return }
            if let current = state.current { try close(current) }
            state.current = nil
            // What other runs left, unless they are still at it.
            for number in try unfinishedShards() {
                guard let shard = try opened(number) else { continue }
                try close(shard)
            }
        }
    }

    /// The sample's path without its ending, in which no dot may stand: readers cut at the first, some of them in folders too.
    private func name(for planned: PlannedFile) throws(DownloadError) -> String {
        let names = planned.names.map(Self.name)
        for name in names where try !index.isTaken(name, by: planned.key) { return name }
        throw DownloadError(
            .file, "\(planned.path) and its alternative name are taken by other files", subject: planned.request.name)
    }

    private static func name(_ planned: PlannedName) -> String {
        (planned.folders + [planned.stem]).map { $0.replacing(".", with: "_") }.joined(separator: "/")
    }

    private func shard(withRoomFor length: Int, _ state: inout State) throws(DownloadError) -> ShardFile {
        if let current = state.current {
            if !limit.isFull(current.length, current.samples, adding: length) { return current }
            try close(current)
            state.current = nil
        }
        var next = try nextShard()
        while limit.isFull(next.length, next.samples, adding: length) {
            try close(next)
            next = try nextShard()
        }
        state.current = next
        return next
    }

    /// An unfinished shard that no process is writing, or a new one after the existing ones.
    private func nextShard() throws(DownloadError) -> ShardFile {
        for number in try unfinishedShards() {
            if let shard = try opened(number) { return shard }
        }
        var number = (try shardNumbers().map(\.number).max() ?? -1) + 1
        while true {
            if let shard = try opened(number) { return shard }
            number += 1
        }
    }

    /// The unfinished shard of this number; nil when another process writes it, or has just finished it.
    private func opened(_ number: Int) throws(DownloadError) -> ShardFile? {
        let shard: ShardFile
        do { shard = try ShardFile(number, in: folder.root) } catch {
            guard error.code == .busy else { throw error }
            return nil
        }
        guard !folder.hasFile(at: ShardFile.name(number)) else {
            shard.remove()
            return nil
        }
        try shard.recover(index)
        return shard
    }

    private func close(_ shard: ShardFile) throws(DownloadError) {
        if shard.samples > 0 { try index.close(shard.number) }
        try shard.close()
    }

    private func isThere(_ shard: Int) -> Bool {
        let name = ShardFile.name(shard)
        return folder.hasFile(at: name) || folder.hasFile(at: name + ".part")
    }

    /// Reads the shards that the index does not know, and removes those that no longer exist.
    private func readUnknownShards() throws(DownloadError) {
        let present = try shardNumbers()
        try index.keepOnly(Set(present.map(\.number)))
        let known = try index.closedShards()
        for (number, isComplete) in present where isComplete && !known.contains(number) {
            guard let descriptor = folder.file(at: ShardFile.name(number)) else { continue }
            let content = DescriptorContent(owning: descriptor)
            try index.replace(number) { add in
                var samples = ShardSamples(content)
                while let sample = try samples.next() {
                    if sample.isIntact { try add(ShardIndex.Sample(sample, in: number)) }
                }
            }
            try index.close(number)
        }
    }

    private func unfinishedShards() throws(DownloadError) -> [Int] {
        try shardNumbers().filter { !$0.isComplete }.map(\.number).sorted()
    }

    private func shardNumbers() throws(DownloadError) -> [(number: Int, isComplete: Bool)] {
        try folder.root.names().compactMap { ShardFile.number(of: $0) }
    }
}
