import ImgScript

/// What happens while images are looked at.
enum BrowseEvent: Sendable {
    case key(Key)
    case resized(CellSize)
    /// What came of a listing, which may be one that was left for another.
    case images([Item], listing: Int)
    case total(Int, listing: Int)
    case failure(String, listing: Int)
    case ended(listing: Int)
    /// A picture was drawn; nil where it cannot be.
    case picture(PictureKey, RenderedPicture?)
    /// All that is known of an image.
    case details(ImageDetails, of: String)
    case download(DownloadProgress, saved: Set<String>)
    case notice(BrowseNotice)
}

/// A line for the user, until the next key.
struct BrowseNotice: Hashable, Sendable {
    let text: String
    var isError = false
}

/// An image with the line by which its source wants it credited.
struct ImageDetails: Hashable, Sendable {
    var item: Item
    var attribution: String?
}

/// How far downloads are.
struct DownloadProgress: Hashable, Sendable {
    var done = 0
    var expected = 0
    var failed = 0
    var bytes = 0

    /// Whether files are being fetched.
    var isActive: Bool { done < expected }
}

/// A picture of a listing: of which image, and how large.
struct PictureKey: Hashable, Sendable {
    let listing: Int
    let index: Int
    let box: CellSize
    let isLarge: Bool
}

/// What is to be done outside of the state.
enum BrowseEffect: Hashable, Sendable {
    case search(String)
    case loadDetails(Item)
    case download([Item])
    case open(Item)
    case redraw, suspend
    case quit(interrupted: Bool)
}

/// All that is seen, and how keys and results change it.
struct BrowseState: Sendable {
    /// What is on the screen.
    enum Mode: Hashable, Sendable {
        case grid
        /// One image, with its text from a line on.
        case details(scroll: Int)
        /// Words for another search are typed, over the grid.
        case search(String)
    }

    /// How many screens of images are loaded ahead of what is seen.
    private static let screensAhead = 3

    private(set) var layout: BrowseLayout
    private(set) var mode = Mode.grid
    /// What was searched for; nil for a feed.
    private(set) var query: String?
    /// Whether anything is or was listed.
    private(set) var isListing: Bool
    /// The number of the listing: each search begins another.
    private(set) var listing = 0
    private(set) var items: [Item] = []
    private(set) var total: Int?
    private(set) var hasEnded = false
    private(set) var selected = 0
    /// The first row of cells on the screen.
    private(set) var firstRow = 0
    private(set) var marked: Set<Int> = []
    /// The references of images that are in the folder.
    private(set) var saved: Set<String> = []
    /// Pictures that were drawn; nil for those that cannot be.
    private(set) var pictures: [PictureKey: RenderedPicture?] = [:]
    private(set) var details: [String: ImageDetails] = [:]
    private(set) var download = DownloadProgress()
    private(set) var notice: BrowseNotice?
    private var isQuitting = false

    /// Nothing yet of a search or a feed; where it is known what to list, else words are asked for.
    init(_ size: CellSize, query: String?, isListing: Bool) {
        layout = BrowseLayout(size)
        self.query = query
        self.isListing = isListing
        if !isListing {
            mode = .search("")
            hasEnded = true
        }
    }

    /// The image that keys are about.
    var current: Item? { items.indices.contains(selected) ? items[selected] : nil }

    /// How many images should be known by now.
    var wantedCount: Int {
        layout.isTooSmall ? items.count : firstRow * layout.columns + layout.count * (Self.screensAhead + 1)
    }

    /// The images on the screen.
    var visible: Range<Int> {
        let first = min(firstRow * layout.columns, items.count)
        return first..<min(first + layout.count, items.count)
    }

    /// The pictures to have: those on the screen, then those on the next.
    var wantedPictures: [PictureKey] {
        guard !layout.isTooSmall else { return [] }
        if case .details = mode {
            let around = [selected, selected + 1, selected - 1].filter(items.indices.contains)
            return around.map { largePicture(of: $0) }
        }
        let ahead = visible.upperBound..<min(visible.upperBound + layout.count, items.count)
        return visible.map { picture(of: $0) } + ahead.map { picture(of: $0) }
    }

    /// The picture of a cell.
    func picture(of index: Int) -> PictureKey {
        PictureKey(listing: listing, index: index, box: layout.picture, isLarge: false)
    }

    /// The picture beside all that is known of an image.
    func largePicture(of index: Int) -> PictureKey {
        PictureKey(listing: listing, index: index, box: layout.details.picture, isLarge: true)
    }

    // MARK: - Events

    /// Takes an event; returns what is to be done for it.
    mutating func apply(_ event: BrowseEvent) -> [BrowseEffect] {
        switch event {
        case .key(let key): return BrowseAction(key, in: mode).map { apply($0) } ?? []
        case .resized(let size):
            guard size != layout.size else { return [] }
            layout = BrowseLayout(size)
            pictures = [:]
            scrollToSelected()
        case .images(let more, let number): if number == listing { items += more }
        case .total(let count, let number): if number == listing { total = (total ?? 0) + count }
        case .failure(let text, let number):
            if number == listing { notice = BrowseNotice(text: text, isError: true) }
        case .ended(let number): if number == listing { hasEnded = true }
        case .picture(let key, let picture): if key.listing == listing { keep(picture, for: key) }
        case .details(let found, let reference): details[reference] = found
        case .download(let progress, let saved):
            let wasActive = download.isActive
            download = progress
            self.saved.formUnion(saved)
            if wasActive, !progress.isActive { notice = Self.result(of: progress) }
        case .notice(let text): notice = text
        }
        return []
    }

    /// Pictures far from the screen are drawn again when they are wanted.
    private mutating func keep(_ picture: RenderedPicture?, for key: PictureKey) {
        pictures[key] = .some(picture)
        guard pictures.count > 400 else { return }
        let near = (selected - 150)...(selected + 150)
        pictures = pictures.filter { near.contains($0.key.index) }
    }

    private static func result(of progress: DownloadProgress) -> BrowseNotice {
        let good = progress.done - progress.failed
        let failed = progress.failed > 0 ? "; \(progress.failed.grouped) failed" : ""
        return BrowseNotice(
            text: "downloaded \(good.counted("file")), \(progress.bytes.byteCount)\(failed)",
            isError: progress.failed > 0)
    }

    // MARK: - Actions

    private mutating func apply(_ action: BrowseAction) -> [BrowseEffect] {
        let wasQuitting = isQuitting
        isQuitting = false
        notice = nil
        switch action {
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .interrupt: return [.quit(interrupted: true)]
        case .quit:
            guard download.isActive, !wasQuitting else { return [.quit(interrupted: false)] }
            isQuitting = true
            notice = BrowseNotice(text: "downloads are under way; q stops them, and the same command resumes them")
            return []
        case .search: mode = .search("")
        case .open: return current.map { [.open($0)] } ?? []
        case .mark: if current != nil { marked.formSymmetricDifference([selected]) }
        case .download: return startDownload()
        case .type, .erase, .eraseWord, .eraseAll, .submit: return edit(action)
        case .back: mode = .grid
        case .left, .right, .up, .down, .pageUp, .pageDown, .first, .last, .showDetails: return move(action)
        }
        return []
    }

    private mutating func startDownload() -> [BrowseEffect] {
        let places = marked.isEmpty ? [selected] : marked.sorted()
        let wanted = places.filter(items.indices.contains).map { items[$0] }
        marked = []
        return wanted.isEmpty ? [] : [.download(wanted)]
    }

    private mutating func edit(_ action: BrowseAction) -> [BrowseEffect] {
        guard case .search(var text) = mode else { return [] }
        switch action {
        case .type(let character): if text.count < 1_000 { text.append(character) }
        case .erase: if !text.isEmpty { text.removeLast() }
        case .eraseAll: text = ""
        case .eraseWord:
            while text.last == " " { text.removeLast() }
            while let last = text.last, last != " " { text.removeLast() }
        default:
            let words = text.trimmingSpaces
            mode = .grid
            return words.isEmpty ? [] : begin(words)
        }
        mode = .search(text)
        return []
    }

    private mutating func begin(_ words: String) -> [BrowseEffect] {
        query = words
        isListing = true
        listing += 1
        (items, total, hasEnded, selected, firstRow) = ([], nil, false, 0, 0)
        (marked, pictures) = ([], [:])
        return [.search(words)]
    }

    private mutating func move(_ action: BrowseAction) -> [BrowseEffect] {
        guard !items.isEmpty else { return [] }
        if case .details(let scroll) = mode { return moveInDetails(action, scroll) }
        let last = items.count - 1
        switch action {
        case .left: selected = max(selected - 1, 0)
        case .right: selected = min(selected + 1, last)
        case .up: if selected >= layout.columns { selected -= layout.columns }
        case .down: down(by: 1)
        case .pageUp: selected = max(selected - layout.count, selected % layout.columns)
        case .pageDown: down(by: layout.rows)
        case .first: selected = 0
        case .last: selected = last
        default: return showDetails()
        }
        scrollToSelected()
        return []
    }

    /// Goes down by rows, as far as there are any; in a last row that is short, to its end.
    private mutating func down(by rows: Int) {
        let lastRow = (items.count - 1) / layout.columns
        let row = min(selected / layout.columns + rows, lastRow)
        selected = min(row * layout.columns + selected % layout.columns, items.count - 1)
    }

    private mutating func moveInDetails(_ action: BrowseAction, _ scroll: Int) -> [BrowseEffect] {
        let page = max(layout.details.text.rows - 1, 1)
        switch action {
        case .up: mode = .details(scroll: max(scroll - 1, 0))
        case .down: mode = .details(scroll: scroll + 1)
        case .pageUp: mode = .details(scroll: max(scroll - page, 0))
        case .pageDown: mode = .details(scroll: scroll + page)
        case .first: mode = .details(scroll: 0)
        case .last: mode = .details(scroll: .max / 2)
        case .left where selected > 0: selected -= 1
        case .right where selected < items.count - 1: selected += 1
        default: return []
        }
        guard action == .left || action == .right else { return [] }
        scrollToSelected()
        return showDetails()
    }

    private mutating func showDetails() -> [BrowseEffect] {
        mode = .details(scroll: 0)
        return current.flatMap { details[$0.reference] == nil ? [.loadDetails($0)] : nil } ?? []
    }

    /// Takes a scroll that was too far back to the last line there is.
    mutating func limitScroll(to lines: Int) {
        guard case .details(let scroll) = mode else { return }
        let last = max(lines - layout.details.text.rows, 0)
        if scroll > last { mode = .details(scroll: last) }
    }

    private mutating func scrollToSelected() {
        let row = selected / layout.columns
        if row < firstRow { firstRow = row }
        if row >= firstRow + layout.rows { firstRow = row - layout.rows + 1 }
    }
}
