import ProviderModel

/// One item with all that its source says about it.
struct ItemDetails {
    private let item: Item
    private let attribution: String?

    /// The details, with the line its source wants to be credited with.
    init(_ item: Item, attribution: String? = nil) {
        self.item = item
        self.attribution = attribution
    }

    /// The sections that there are, with an empty line between them.
    func lines(on terminal: Terminal) -> [String] {
        let sections = [
            heading(on: terminal), facts.lines(on: terminal), description(on: terminal), files.lines(on: terminal),
            credit.lines(on: terminal),
        ]
        return Array(sections.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    private func heading(on terminal: Terminal) -> [String] {
        let title = TableCell(item.title ?? "")
        let shown = title.text.isEmpty ? "untitled" : title.text
        let lines = [TableCell(shown, title.text.isEmpty ? .dim : .bold, link: item.page)]
            .lines(width: terminal.room, on: terminal)
        let reference = terminal.paint(item.provider.description, .accent(0)) + TableCell(":\(item.id)").text
        let kind = item.type == .image ? "" : terminal.paint(" · \(item.type.rawValue)", .dim)
        let page = item.page.map { TableCell("\($0)", .dim, link: $0).rendered(on: terminal) }
        return lines + [reference + kind] + [page].compactMap(\.self)
    }

    private var facts: Table {
        var table = Table()
        for author in item.authors.isEmpty ? [item.author].compactMap(\.self) : item.authors {
            table.add("Author", TableCell(author.name), author.url.map(address))
        }
        if let license = item.license {
            let id = license.name.flatMap { $0 == license.id ? nil : TableCell(license.id, .dim) }
            table.add("Licence", TableCell(license.name ?? license.shortName), id, license.url.map(address))
        }
        table.add("Credit", item.credit.map { TableCell($0) })
        let end = item.createdUntil.map { " to \($0)" } ?? ""
        table.add("Created", item.created.map { TableCell($0 + end) })
        table.add("Place", place)
        table.add("Camera", TableCell(item.camera.map(text) ?? ""))
        table.add("Shows", item.alt.map { TableCell($0) })
        table.add("Tags", TableCell(item.tags.joined(separator: ", ")))
        table.add("Colours", values: item.colors.map { TableCell($0) })
        table.add("Counts", TableCell(item.stats.map(text).joined(separator: " · ")))
        table.add("Rating", item.rating.map { TableCell($0.rawValue, $0 == .safe ? .plain : .warning) })
        table.add("Made", item.isAIGenerated == true ? TableCell("by AI, as the source says", .warning) : nil)
        table.add("More", item.extra.map { TableCell($0.description, .dim) })
        return table
    }

    private func description(on terminal: Terminal) -> [String] {
        guard let description = item.description, description != item.title else { return [] }
        // Lines longer than this are tiring to read however wide the window is.
        let width = min(terminal.width, 96)
        let paragraphs = TerminalText.paragraphs(description).map {
            [TableCell($0)].lines(width: width, on: terminal)
        }
        return Array(paragraphs.joined(separator: [""]))
    }

    private var files: Table {
        var table = Table(columns: [
            .init("File"), .init("Size", alignment: .right), .init("Format"), .init("Bytes", alignment: .right),
            .init("URL", .below), .init("Notes", .below),
        ])
        let isNumbered = item.files.count > 1
        for media in item.media {
            let number = isNumbered ? "\(media.file ?? 1) " : ""
            table.add([
                TableCell(number + media.role.rawValue, .bold), TableCell(dimensions(of: media)),
                TableCell(media.format ?? ""),
                TableCell(media.bytes?.byteCount ?? ""), address(media.url), notes(on: media),
            ])
        }
        return table
    }

    private var credit: Table {
        var table = Table()
        table.add("Credit", attribution.map { TableCell($0) })
        return table
    }

    // MARK: - Values

    private func address(_ url: WebURL) -> TableCell { TableCell("\(url)", .dim, link: url) }

    private var place: TableCell? {
        guard let location = item.location, let summary = location.summary else { return nil }
        guard let latitude = location.latitude, let longitude = location.longitude else { return TableCell(summary) }
        let coordinates = "\(latitude.shortest), \(longitude.shortest)"
        return TableCell(summary == coordinates ? summary : "\(summary) (\(coordinates))")
    }

    private func text(of camera: Camera) -> String {
        let exposure = camera.exposure.map { "\($0) s" }
        let aperture = camera.aperture.map { "f/\($0)" }
        let focalLength = camera.focalLength.map { "\($0) mm" }
        let speed = camera.iso.map { "ISO \($0)" }
        return [camera.name, camera.lens, focalLength, aperture, exposure, speed].compactMap(\.self)
            .joined(separator: " · ")
    }

    private func text(of stat: Statistic) -> String {
        let whole = stat.value == stat.value.rounded() && stat.value.magnitude < 1e15
        return "\(stat.name) \(whole ? Int(stat.value).grouped : stat.value.shortest)"
    }

    private func dimensions(of media: Media) -> String {
        media.dimensions ?? media.width.map { "\($0) wide" } ?? media.height.map { "\($0) high" } ?? ""
    }

    private func notes(on media: Media) -> TableCell {
        let kind = media.kind == .image ? nil : media.kind.rawValue
        let frames = media.frames.isEmpty ? nil : "\(media.frames.count.grouped) frames"
        let watermark = media.isWatermarked == true ? "watermark" : nil
        let expiry = media.expires.map { "until \($0)" }
        return TableCell([kind, frames, watermark, expiry].compactMap(\.self).joined(separator: ", "), .warning)
    }
}
