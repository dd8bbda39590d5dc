import ProviderModel

extension FileFetch {
    /// Checks the whole file before it may have its name.
    func verify() async throws -> FetchedFile {
        guard let total = assembly.total else {
            throw FetchFault.final(DownloadError(.damaged, "\(media.url.origin) sent no file", subject: planned.key))
        }
        do {
            let check =
                if let check = assembly.check { try check.get() } else {
                    try Self.check(
                        WindowedContent(LimitedContent(assembly.part, count: total)), of: media, under: settings)
                }
            let digests = try await digests(upTo: total)
            try compare(digests)
            if assembly.hasRemainder { try assembly.part.setLength(total) }
            return file(total, digests.sha256, check)
        } catch let error as DownloadError where error.code == .damaged {
            throw FetchFault.spoiled(error)
        }
    }

    /// The digests as they were computed beside the file's arrival; else the file is read.
    private func digests(upTo total: Int) async throws -> (sha256: [UInt8], other: [UInt8]?) {
        if let known = assembly.digests { return known }
        if let followed = try await beside.digests() { return followed }
        // Reading takes long, and this may be a thread that has transfers to look after.
        let digests = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            var reader = HashFollower(assembly.part, digest: assembly.digest)
            return try await reader.finish(at: total)
        }
        try Task.checkCancellation()
        return digests
    }

    /// Looks at what a file turned out to be.
    static func check(
        _ content: some FileContent, of media: Media, under settings: FetchSettings
    ) throws(DownloadError) -> ImageCheck? {
        guard settings.takesAnyContent else { return try ImageCheck(content, of: media) }
        // What is no image is welcome too.
        return try? ImageCheck(content, of: media)
    }

    private func compare(_ digests: (sha256: [UInt8], other: [UInt8]?)) throws(DownloadError) {
        guard let promised = assembly.digest else { return }
        let found = promised.algorithm == .sha256 ? digests.sha256 : digests.other
        guard found != promised.bytes else { return }
        throw DownloadError(
            .damaged,
            "\(media.url.origin) gave a \(promised.source) (\(promised.algorithm.rawValue)) that is not the file's, "
                + "expected the digest of what it sent; try again later",
            subject: planned.key
        )
    }

    private func file(_ bytes: Int, _ sha256: [UInt8], _ check: ImageCheck?) -> FetchedFile {
        FetchedFile(bytes: bytes, sha256: sha256, format: check?.format, size: check?.size, notes: check?.notes ?? [])
    }
}
