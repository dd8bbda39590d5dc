import ImgScript
import ProviderModel

/// The line that closes a search: how many of how many, from where, and what to know about them.
struct ResultSummary {
    /// Images by provider, in the order their first came.
    private(set) var counts: [(provider: ProviderID, count: Int)] = []
    /// How many the sources say there are, all together.
    var total: Int?
    /// What to know: `samples, not live results`.
    var notes: [String]

    /// A summary of nothing yet, about these providers.
    init(providers: [ProviderID] = [], total: Int? = nil, notes: [String] = []) {
        counts = providers.map { ($0, 0) }
        self.total = total
        self.notes = notes
    }

    /// Takes out a provider that was not asked.
    mutating func leaveOut(_ provider: ProviderID) { counts.removeAll { $0.provider == provider } }

    /// Counts an item that was shown.
    mutating func add(_ item: Item) {
        guard let index = counts.firstIndex(where: { $0.provider == item.provider }) else {
            counts.append((item.provider, 1))
            return
        }
        counts[index].count += 1
    }

    /// `14 of 500 images · pixabay 10 · flickr 4 · samples, not live results`, on as many lines as it takes.
    func lines(on terminal: Terminal) -> [String] {
        let parts = [TableCell(amount, .bold)] + providerCells + notes.map { TableCell($0, .warning) }
        return parts.lines(separatedBy: " · ", width: terminal.room, on: terminal)
    }

    private var amount: String {
        let shown = counts.reduce(0) { $0 + $1.count }
        if let total, total > shown { return "\(shown.grouped) of \(total.grouped) images" }
        return shown == 0 ? "no images" : shown == 1 ? "1 image" : "\(shown.grouped) images"
    }

    private var providerCells: [TableCell] {
        let isMerged = counts.count > 1
        return counts.enumerated().map { index, entry in
            TableCell(isMerged ? "\(entry.provider) \(entry.count.grouped)" : "\(entry.provider)", .accent(index))
        }
    }
}

extension AppContext {
    /// Prints each notice that the terms of these sources require, which of them want images downloaded, as their addresses
    /// may be about to be linked, and which of them end.
    func printTerms(of summary: ResultSummary, isOfAddresses: Bool) async {
        guard !status.isQuiet else { return }
        var notices: [String] = []
        for provider in summary.counts where provider.count > 0 {
            // A provider that answered can be loaded; what else is wrong was printed when it was asked.
            guard let manifest = try? await engine.manifest(of: provider.provider.description) else { continue }
            if let note = manifest.deprecated { status.note("\(manifest.name) is \(note)") }
            let terms = manifest.terms
            if let notice = terms.notice, !notices.contains(notice) { notices.append(notice) }
            guard isOfAddresses, terms.allowsHotlinking == false else { continue }
            status.note(
                "\(manifest.name) forbids hotlinking: \(terms.url?.description ?? "see its terms")",
                hint: "imgscript download fetches the images, also from --format jsonl")
        }
        for notice in notices { status.note(notice) }
    }
}

/// The images that filters left out, the conditions that the sources checked themselves, and pages that were empty.
struct FilterSummary {
    private(set) var filtered = 0
    /// Warnings of pages that were empty before a source's total.
    private(set) var warnings: [String] = []
    /// The providers that may have more, beyond the pages that were searched through.
    private(set) var cutShort: [String] = []
    private var sources: [(conditions: [ParameterDescription.Condition], providers: [String])] = []
    private var checkedHere: [(condition: ParameterDescription.Condition, providers: [String])] = []
    /// The number of providers.
    private var count = 0

    /// Adds what came of one provider.
    mutating func add(_ part: MergedSearch.Summary) {
        filtered += part.filtered
        if !part.emptyPages.isEmpty { warnings.append(part.emptyPagesWarning) }
        if part.isCutShort { cutShort.append(part.provider) }
        count += 1
        for condition in part.conditionsCheckedHere {
            if let index = checkedHere.firstIndex(where: { $0.condition == condition }) {
                checkedHere[index].providers.append(part.provider)
            } else {
                checkedHere.append((condition, [part.provider]))
            }
        }
        guard !part.conditions.isEmpty else { return }
        if let index = sources.firstIndex(where: { $0.conditions == part.conditions }) {
            sources[index].providers.append(part.provider)
        } else {
            sources.append((part.conditions, [part.provider]))
        }
    }

    /// `openverse: stopped after 20 pages; more images may follow`; nil where no provider was stopped.
    var cutShortNote: String? {
        guard !cutShort.isEmpty else { return nil }
        let pages = SearchOptions().maximumPages
        return "\(cutShort.joined(separator: ", ")): stopped after \(pages) pages; more images may follow"
    }

    /// `--since and --until sent to bluesky; --aspect checked here only`; nil where none was sent.
    var note: String? {
        guard !sources.isEmpty else { return nil }
        let parts = sources.map { source in
            let options = source.conditions.map { "--\($0.rawValue)" }.joined(separator: " and ")
            return "\(options) sent to \(source.providers.joined(separator: ", "))"
        }
        let here = checkedHere.map { entry in
            let isOfSome = entry.providers.count < count
            return "--\(entry.condition.rawValue)\(isOfSome ? " of \(entry.providers.joined(separator: ", "))" : "")"
        }
        let rest = here.isEmpty ? [] : ["\(here.joined(separator: " and ")) checked here only"]
        return (parts + rest).joined(separator: "; ")
    }
}

extension MergedSearch.Summary {
    /// `a: page 3 was empty and was skipped (the source reports 60 images in all)`.
    fileprivate var emptyPagesWarning: String {
        let numbers = emptyPages.map(\.grouped).joined(separator: ", ")
        let pages = emptyPages.count == 1 ? "page \(numbers) was empty and was" : "pages \(numbers) were empty and were"
        return "\(provider): \(pages) skipped (the source reports \((total ?? 0).counted("image")) in all)"
    }
}
