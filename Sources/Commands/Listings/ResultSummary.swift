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

    /// `14 of 500 images · pixabay 10, flickr 4 · samples, not live results`, on several lines where one is too short.
    func line(on terminal: Terminal) -> String {
        // A narrow terminal would break them anywhere.
        let width = terminal.isTerminal ? terminal.width : Int.max
        let notes = notes.flatMap(TextWrapping(width: width).lines(of:)).map { [TableCell($0, .warning)] }
        var text = ""
        var used = 0
        for group in [[TableCell(amount, .bold)]] + rows(of: providerCells, on: terminal) + notes where !group.isEmpty {
            let taken = self.width(of: group)
            let fits = used + 3 + taken <= width || !terminal.isTerminal
            if used > 0 { text += fits ? terminal.paint(" · ", .dim) : "\n" }
            text += group.map { $0.rendered(on: terminal) }.joined(separator: ", ")
            used = (used > 0 && fits ? used + 3 : 0) + taken
        }
        return text
    }

    /// As many cells in a row as fit: of fifty providers not all do.
    private func rows(of cells: [TableCell], on terminal: Terminal) -> [[TableCell]] {
        guard terminal.isTerminal else { return [cells] }
        return cells.reduce(into: []) { rows, cell in
            if let row = rows.last, width(of: row + [cell]) <= terminal.width {
                rows[rows.count - 1].append(cell)
            } else {
                rows.append([cell])
            }
        }
    }

    private func width(of cells: [TableCell]) -> Int { cells.reduce(-2) { $0 + $1.text.displayWidth + 2 } }

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
