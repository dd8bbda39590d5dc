/// The beginning of a file, without what stands behind it.
struct LimitedContent<Base: FileContent>: FileContent {
    private let base: Base
    let count: Int

    init(_ base: Base, count: Int) {
        self.base = base
        self.count = count
    }

    func bytes(at offset: Int, count: Int) throws(DownloadError) -> [UInt8] {
        try base.bytes(at: offset, count: max(min(count, self.count - offset), 0))
    }
}
