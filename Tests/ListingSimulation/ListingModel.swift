import ProviderModel
import Search

/// The definition of a listing: what several runs over one or more sources have to deliver, together.
///
/// A listing delivers every image that a source has from the beginning to the end of the reading, if the filter admits it, and
/// each once. It is allowed to miss
/// - what the source leaves out, or has on pages that it leaves empty, with a warning;
/// - what lies behind a total that the source states, or, without a total, behind an empty page: there the source ends it;
/// - one image for each that was removed while pages were counted, as the ones behind it moved to a page that was read; where
///   pages are read side by side, in any order, one more between each two of them, also for each that was inserted.
///
/// No listing ends because its session did. A run delivers no more than its limit, and one that was killed may deliver its last page again, once.
struct ListingModel {
    let sources: [VirtualSource]

    /// The images that are the same in all sources, by page.
    private func page(_ id: String, of source: VirtualSource) -> String { source.known[id]?.page ?? "unknown" }

    /// The images that have to be delivered with a filter, by page.
    func required(_ filter: ItemFilter) -> Set<String> {
        var required: Set<String> = []
        for source in sources {
            for entry in source.readable where filter.admits(entry.item) {
                required.insert(entry.page)
            }
        }
        return required
    }

    /// The number of images that may be missing.
    func tolerance(pagesInFlight: Int) -> Int {
        sources.reduce(0) { sum, source in
            guard source.manifest.paging != .cursor else { return sum }
            let sideBySide = pagesInFlight / 2
            return sum + source.removed.count * (1 + sideBySide) + source.inserted.count * sideBySide
        }
    }

    /// What is wrong with the runs of a listing; nil if nothing is.
    func fault(in runs: [SearchRun]) -> String? {
        var delivered: Set<String> = []
        var mayRepeat = 0
        for (number, run) in runs.enumerated() {
            if run.endedWithItsSession { return "run \(number) ends with a session that could have been renewed" }
            if !run.isResuming { (delivered, mayRepeat) = ([], 0) }
            var repeated = 0
            for image in run.delivered {
                guard let source = sources.first(where: { $0.name == image.provider.description }),
                    let entry = source.known[image.id], !entry.isHidden
                else { return "run \(number) delivers \(image.id), which is in no page" }
                guard run.filter.admits(entry.item) else {
                    return "run \(number) delivers \(image.id), which its filter leaves out"
                }
                if !delivered.insert(page(image.id, of: source)).inserted { repeated += 1 }
            }
            if repeated > mayRepeat {
                return "run \(number) delivers \(repeated) images twice (expected \(mayRepeat) at most)"
            }
            mayRepeat = run.wasKilled ? sources.count * max(25, run.pageSize) : max(0, mayRepeat - repeated)
            if let most = run.mostDelivered, run.delivered.count > most {
                return "run \(number) delivers \(run.delivered.count) images (expected \(most) at most)"
            }
        }
        guard let last = runs.last, last.isToTheEnd else { return nil }
        let missing = required(last.filter).subtracting(delivered)
        let tolerance = tolerance(pagesInFlight: runs.map(\.pagesInFlight).max() ?? 1)
        if missing.count > tolerance {
            return "\(missing.count) images are missing (expected \(tolerance) at most): \(missing.sorted().prefix(5))"
        }
        if sources.contains(where: { $0.holes > 0 && $0.behaviour.total == .right && $0.manifest.paging != .cursor }),
            !last.warnsOfEmptyPages,
            runs.count == 1
        {
            return "empty pages were not told of"
        }
        return nil
    }
}

extension VirtualSource {
    /// The entries that were there all the time, as far as the source lets anyone read.
    var readable: [Entry] {
        var readable: [Entry] = []
        let pageSizes = Set(requests.map { min($0.limit, behaviour.cap) })
        for (place, entry) in entries.enumerated() where !inserted.contains(entry.id) && !entry.isHidden {
            if behaviour.total == .tooSmall, manifest.paging != .cursor, place >= entries.count / 2 { break }
            // Pages of another size, or that begin elsewhere, are empty where this one is.
            let isEmpty =
                !behaviour.emptyPages.isEmpty
                && pageSizes.contains { size in
                    (place - size...place + size).contains { behaviour.emptyPages.contains($0 / size) }
                }
            if isEmpty, behaviour.total != .right, manifest.paging != .cursor { break }
            if !isEmpty { readable.append(entry) }
        }
        return readable
    }
}
