import ProviderModel

extension FileFetch {
    /// Checks the whole file before it may have its name, when its digests are not known yet.
    func verify() async throws -> FetchedFile {
        // A file that is no image need not be read to its end.
        let check = try check()
        if let followed = try await beside.digests() { return try verified(check, followed) }
        // Reading takes long, and this may be a thread that has transfers to look after.
        let digests = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            var reader = HashFollower(assembly.part, hasher: assembly.makeHasher())
            return try await reader.finish(at: try total())
        }
        try Task.checkCancellation()
        return try verified(check, digests)
    }

    /// The whole file, after a last look at its digests.
    func verified(_ check: ImageCheck?, _ digests: ContentHasher.Result) throws -> FetchedFile {
        let total = try total()
        do { try compare(digests) } catch { throw FetchFault.spoiled(error) }
        if assembly.hasRemainder { try assembly.part.setLength(total) }
        return FetchedFile(
            bytes: total, hash: digests.hash, format: check?.format, size: check?.size, notes: check?.notes ?? [])
    }

    private func total() throws -> Int {
        if let total = assembly.total { return total }
        throw FetchFault.final(DownloadError(.damaged, "\(media.url.origin) sent no file", subject: planned.key))
    }

    /// Looks at what the file turned out to be.
    func check() throws -> ImageCheck? {
        do {
            if let check = assembly.check { return try check.get() }
            let content = WindowedContent(LimitedContent(assembly.part, count: try total()))
            return try Self.check(content, of: media, under: settings)
        } catch let error as DownloadError where error.code == .damaged {
            throw FetchFault.spoiled(error)
        }
    }

    /// Looks at what content turned out to be.
    static func check(
        _ content: some FileContent, of media: Media, under settings: FetchSettings
    ) throws(DownloadError) -> ImageCheck? {
        guard settings.takesAnyContent else { return try ImageCheck(content, of: media) }
        // What is no image is welcome too.
        return try? ImageCheck(content, of: media)
    }

    private func compare(_ digests: ContentHasher.Result) throws(DownloadError) {
        guard let promised = assembly.digest, digests.promised != promised.bytes else { return }
        throw DownloadError(
            .damaged,
            "\(media.url.origin) gave a \(promised.source) (\(promised.algorithm.rawValue)) that is not the file's, "
                + "expected the digest of what it sent; try again later",
            subject: planned.key
        )
    }
}
