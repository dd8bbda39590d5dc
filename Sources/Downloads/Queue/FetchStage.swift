import HTTPTransport
import ProviderModel

/// Gives the final URL of a file just before it is fetched: URLs expire, and some sources require a request.
package protocol MediaResolver: Sendable {
    /// The file to fetch instead of the planned one; nil for no change.
    func media(for planned: PlannedFile) async throws -> Media?
}

/// Fetches planned files, each until it is whole and verified.
struct FetchStage: Sendable {
    enum Outcome: Sendable {
        case fetched(FetchedDownload)
        case skipped(SkipReason)
        case failed(DownloadError)
        case cancelled
    }

    let transport: any Transport
    let store: any DownloadStore
    let hasArchive: Bool
    let template: NameTemplate
    let resolver: (any MediaResolver)?
    let pictures: PictureStage?
    let metadata: MetadataWriter?
    let options: DownloadOptions
    let limiter: RateLimiter?
    let now: @Sendable () -> Int

    func fetch(_ planned: PlannedFile, _ meter: DownloadMeter) async -> Outcome {
        do {
            let part = try store.open(planned)
            if let path = try existing(planned, part) { return .skipped(.present(path: path)) }
            let media = try await media(for: planned, part)
            let fetch = try await FileFetch(
                planned, from: media, into: part, over: transport, options, limiter: limiter, meter: meter, now: now)
            do {
                let file = try await fetch.run()
                let content = file.sha256
                let (picture, hash) = try await pictures?.prepare(part, file) ?? (file, nil)
                var changed = try metadata?.write(into: part, planned.request, from: media, picture) ?? picture
                changed.modified = options.modificationTime.seconds(
                    created: planned.item?.created, server: fetch.assembly.modified)
                let named = named(planned, by: fetch.assembly.fileName)
                return .fetched(
                    FetchedDownload(
                        planned: named ?? planned, isRenamed: named != nil, media: media, url: fetch.assembly.url,
                        part: part, file: changed, content: content, hash: hash))
            } catch {
                if !fetch.assembly.canResumeLater { part.remove() }
                // A cancelled transfer may hold the file for a moment longer.
                part.release()
                throw error
            }
        } catch is CancellationError {
            return .cancelled
        } catch let error as DownloadError where error.code == .busy {
            return .skipped(.otherProcess)
        } catch {
            return .failed(DownloadError(any: error, subject: planned.request.name))
        }
    }

    /// The file under the name that its server gave it; nil where it keeps its own.
    private func named(_ planned: PlannedFile, by fileName: String?) -> PlannedFile? {
        // Without an archive the next run would look for it under the name in the URL.
        guard hasArchive, planned.request.hasAddressWithoutName, let fileName else { return nil }
        return template.plan(planned.request, options.conversion, fileName: fileName)
    }

    /// The path of a file that another process may have finished since it was planned; under the lock that is certain.
    private func existing(_ planned: PlannedFile, _ part: PartFile) throws(DownloadError) -> String? {
        // A file with another ending than was planned is in the archive, where there is one.
        guard part.lengthAtOpening == 0, let path = try store.existing(planned, underAnyEnding: !hasArchive)
        else { return nil }
        part.remove()
        return path
    }

    private func media(for planned: PlannedFile, _ part: PartFile) async throws -> Media {
        do {
            return try await resolver?.media(for: planned) ?? planned.request.media
        } catch {
            if part.lengthAtOpening == 0 { part.remove() }
            throw error
        }
    }
}

extension DownloadOptions.ModificationTime {
    /// The time in seconds since 1970; nil for that of the download.
    fileprivate func seconds(created: String?, server: Int?) -> Int? {
        switch self {
        case .download: nil
        case .server: server
        case .created: created.flatMap { DateTime(iso8601: $0)?.secondsSince1970 } ?? server
        }
    }
}
