import ImgScript
import ProviderModel

/// Prints results beside their pictures: pictures are loaded side by side, rows printed in the order of the results.
struct PreviewPrinter: Sendable {
    /// How many rows may wait for a picture before theirs.
    private static let rowsAhead = 12

    private let loader: PictureLoader
    private let box: CellSize
    private let terminal: Terminal
    private let providers: [ProviderID]
    private let permits = AsyncSemaphore(rowsAhead)
    private let sequence: RowSequence

    /// A printer for a listing; throws where pictures cannot be shown.
    init(_ choice: PictureFormat, in context: AppContext, providers: [ProviderID] = []) throws(TerminalError) {
        terminal = context.terminal
        self.providers = providers
        box = PreviewRow.box(on: terminal)
        loader = try PictureLoader(choice, in: context, for: "--preview")
        sequence = RowSequence(context.output)
    }

    /// Loads an item's picture in a task of the group, and prints the row when all before it are printed.
    func print(_ item: Item, number: Int, in group: inout ThrowingTaskGroup<Void, any Error>) async throws {
        try await permits.wait()
        let style = TextStyle.accent(providers.firstIndex(of: item.provider) ?? 0)
        let row = PreviewRow(item: item, number: number, style: style)
        group.addTask {
            defer { permits.signal() }
            // What cannot be shown is no fault of the listing: the row stands beside a placeholder.
            let picture = try? await loader.thumbnail(of: item, in: box)
            try await sequence.put(row.lines(picture, in: box, on: terminal), at: number)
        }
    }

    /// Prints a single picture, larger than those of a list.
    func print(_ item: Item, in context: AppContext) async throws {
        let box = CellSize(
            columns: min(terminal.width, 80), rows: min(max(terminal.height / 2, 4), 24))
        // As in a list: the details stand without it.
        guard let picture = try? await loader.picture(of: item, in: box) else { return }
        switch picture.content {
        case .lines(let lines): try context.print(lines)
        case .graphics(let sequence):
            let rows = picture.size.rows
            try context.output.write(
                String(repeating: "\n", count: rows) + "\u{1b}7\u{1b}[\(rows)A\r\(sequence)\u{1b}8")
        }
        try context.printLine("")
    }
}

/// Rows that arrive in any order, written in that of their numbers.
private actor RowSequence {
    private let output: TextOutput
    private var waiting: [Int: String] = [:]
    private var next = 1

    init(_ output: TextOutput) { self.output = output }

    /// Takes the row of a number, and writes all whose turn it is.
    func put(_ row: String, at number: Int) throws {
        waiting[number] = row
        while let row = waiting.removeValue(forKey: next) {
            next += 1
            try output.write(row)
        }
        try output.flush()
    }
}

/// Loads pictures through the engine and draws them.
struct PictureLoader: Sendable {
    /// How many pictures are loaded at the same time.
    private static let loadsInFlight = 6

    let renderer: PictureRenderer
    private let images: ImageLoader
    private let permits = AsyncSemaphore(loadsInFlight)

    /// A loader for the terminal of the standard output; throws where pictures cannot be shown, which `what` was asked for.
    init(_ choice: PictureFormat, in context: AppContext, for what: String) throws(TerminalError) {
        try TerminalError.check(context.terminal, for: what)
        renderer = try PictureRenderer(choice, environment: context.settings.environment)
        images = context.engine.images
    }

    /// The smallest file of an item that is large enough, drawn within a box.
    func thumbnail(of item: Item, in box: CellSize) async throws -> RenderedPicture {
        try await draw(item, width: renderer.pixels(ofColumns: box.columns), in: box)
    }

    /// A larger picture of an item; its thumbnail where that fails.
    func picture(of item: Item, in box: CellSize) async throws -> RenderedPicture {
        let widest = item.files.first?.compactMap { $0.kind == .image ? $0.width : nil }.max()
        let width = min(renderer.pixels(ofColumns: box.columns), widest ?? .max)
        do { return try await draw(item, width: width, in: box) } catch let error where !Task.isCancelled {
            guard width > 1 else { throw error }
            return try await draw(item, width: 1, in: box)
        }
    }

    private func draw(_ item: Item, width: Int, in box: CellSize) async throws -> RenderedPicture {
        try await permits.wait()
        let image: ImageData
        do {
            defer { permits.signal() }
            image = try await images.thumbnail(of: item, width: width)
        }
        return try await renderer.render(image, in: box)
    }
}
