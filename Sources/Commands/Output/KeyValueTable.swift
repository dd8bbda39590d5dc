import ProviderModel

/// Labels with what belongs to them, aligned and wrapped: one thing in all its aspects.
struct KeyValueTable {
    private var rows: [(label: TableCell, values: [TableCell])] = []

    /// A table without rows.
    init() {}

    /// Adds a row; without a value it is left out.
    mutating func add(_ label: String, _ values: TableCell?...) { add(label, values: values.compactMap(\.self)) }

    /// Adds a row; without a value it is left out.
    mutating func add(_ label: String, values: [TableCell]) {
        let shown = values.filter { !$0.text.isEmpty }
        if !shown.isEmpty { rows.append((TableCell(label, .dim), shown)) }
    }

    /// The table's lines, values beginning in one column.
    func lines(on terminal: Terminal) -> [String] {
        let labelWidth = rows.map(\.label.text.displayWidth).max() ?? 0
        let room = max(terminal.width - labelWidth - TableRow.gap, 20)
        return rows.flatMap { row in
            flow(row.values, room: room, on: terminal).enumerated().map { index, value in
                let label = index == 0 ? row.label : .empty
                return label.rendered(width: labelWidth, on: terminal) + "  " + value
            }
        }
    }

    /// Values one after the other while they fit a line; a long one is wrapped, an address never broken.
    private func flow(_ values: [TableCell], room: Int, on terminal: Terminal) -> [String] {
        var lines: [String] = []
        var used = 0
        for value in values {
            let width = value.text.displayWidth
            if used > 0, used + 2 + width <= room {
                lines[lines.count - 1] += "  " + value.rendered(on: terminal)
                used += 2 + width
            } else if value.link != nil || width <= room {
                lines.append(value.rendered(on: terminal))
                used = width
            } else {
                let wrapped = TextWrapping(width: room).lines(of: value.text)
                lines += wrapped.map { TableCell($0, value.style).rendered(on: terminal) }
                used = wrapped.last?.displayWidth ?? 0
            }
        }
        return lines
    }
}
