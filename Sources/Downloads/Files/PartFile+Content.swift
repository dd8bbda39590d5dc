import ProviderModel

extension PartFile {
    /// Takes the content of a file in memory in place of its own; returns the new length and SHA-256.
    ///
    /// A process that is killed meanwhile leaves a part without a state, which the next run fetches anew.
    func takeContent(of scratch: DescriptorContent) throws(DownloadError) -> (bytes: Int, sha256: [UInt8]?) {
        let length = scratch.count
        var hasher = ContentHasher(withSHA256: true)
        var offset = 0
        while offset < length {
            let bytes = try scratch.bytes(at: offset, count: 256 << 10)
            guard !bytes.isEmpty else { throw DownloadError(.file, "could not read a file in memory back") }
            bytes.withUnsafeBytes { hasher.update($0) }
            try write(bytes, at: offset)
            offset += bytes.count
        }
        try setLength(length)
        return (length, hasher.finish().sha256)
    }
}
