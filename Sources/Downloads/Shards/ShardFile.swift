import Glibc
import ProviderModel

/// A tar archive that samples are added to, an image and its JSON each, under the name `00000.tar.part` until it is full.
final class ShardFile {
    let number: Int
    private let part: PartFile
    /// Where the last whole sample ends.
    private(set) var length = 0
    private(set) var samples = 0

    /// A shard's final name.
    static func name(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(5 - digits.count, 0)) + digits + ".tar"
    }

    /// The number in a shard's final or unfinished name.
    static func number(of name: String) -> (number: Int, isComplete: Bool)? {
        let isComplete = !name.hasSuffix(".part")
        let final = isComplete ? name : String(name.dropLast(5))
        guard final.hasSuffix(".tar"), let number = Int(final.dropLast(4)), Self.name(number) == final else {
            return nil
        }
        return (number, isComplete)
    }

    /// Opens the unfinished shard, or makes it; throws `.busy` when another process is writing it.
    init(_ number: Int, in folder: OpenFolder) throws(DownloadError) {
        self.number = number
        part = try PartFile(Self.name(number) + ".part", in: folder)
    }

    /// Finds what a run left that was killed: its whole samples stay, what comes behind them is cut off.
    func recover(_ index: ShardIndex) throws(DownloadError) {
        guard part.lengthAtOpening > 0 else { return }
        var found = ShardSamples(part)
        var whole: [ShardIndex.Sample] = []
        (length, samples) = (0, 0)
        // JSON that was damaged may name another file than the index does.
        while let sample = try found.next(), sample.isIntact, try !index.isTaken(sample.name, by: sample.key) {
            whole.append(ShardIndex.Sample(sample, in: number))
            length = sample.end
            samples += 1
        }
        try index.replace(number) { add in for sample in whole { try add(sample) } }
        try part.setLength(length)
    }

    /// Adds an image, copied from its unfinished file, and its JSON; what was begun is taken back when there is no room.
    func add(
        _ content: PartFile, _ bytes: Int, json: [UInt8], as name: String, ending: String, time: Int
    ) throws(DownloadError) {
        do throws(DownloadError) {
            var end = try write(TarHeader.bytes(name: "\(name).\(ending)", size: bytes, time: time), at: length)
            end = try copy(content, bytes, to: end)
            end = try write([UInt8](repeating: 0, count: TarHeader.padding(bytes)), at: end)
            end = try write(TarHeader.file("\(name).json", json, time: time), at: end)
            length = end
            samples += 1
        } catch {
            // Where even that fails, the next run finds the same.
            try? part.setLength(length)
            throw error
        }
    }

    /// What a sample takes.
    static func length(_ bytes: Int, json: Int, as name: String, ending: String) -> Int {
        TarHeader.length(name: "\(name).\(ending)", size: bytes) + TarHeader.length(name: "\(name).json", size: json)
    }

    /// Ends the archive and gives it its name.
    func close() throws(DownloadError) {
        guard samples > 0 else { return part.remove() }
        try part.setLength(length)
        try part.setLength(length + TarHeader.endLength)
        // The samples' own unfinished files are gone: what the shard holds has to be on the disk before it counts.
        guard fdatasync(part.descriptor) == 0 else { throw DownloadError(errno: errno, "write", part.path) }
        guard try part.rename(to: Self.name(number), in: part.folder) else {
            throw DownloadError(
                .file,
                "\(part.folder.path)/\(Self.name(number)) was created by another program")
        }
    }

    /// Gives it up: it is empty.
    func remove() { part.remove() }

    private func write(_ bytes: [UInt8], at offset: Int) throws(DownloadError) -> Int {
        try part.write(bytes, at: offset)
        return offset + bytes.count
    }

    private func copy(_ content: PartFile, _ count: Int, to start: Int) throws(DownloadError) -> Int {
        var end = start
        try content.forEachChunk(of: 0..<count) { (bytes) throws(DownloadError) in
            try part.write(bytes, at: end)
            end += bytes.count
        }
        return end
    }
}
