import ImgScript
import Testing

@testable import Commands

@Suite("Keys and results change what is seen")
struct BrowseStateTests {
    /// Four cells side by side, two rows of them.
    private static let screen = CellSize(columns: 80, rows: 24)

    private func state(of count: Int = 30, on size: CellSize = screen) -> BrowseState {
        var state = BrowseState(size, query: "coffee", isListing: true)
        let items = (0..<count).map { InventedItems.item(InventedItems.pixabay, "\($0)", title: "Item \($0)") }
        _ = state.apply(.images(items, listing: 0))
        return state
    }

    private func press(_ keys: [Key], _ state: inout BrowseState) -> [BrowseEffect] {
        keys.flatMap { state.apply(.key($0)) }
    }

    static let moves: [([Key], Int, Int)] = [
        ([Key.right, .right], 2, 0), ([.down], 4, 0), ([.character("j"), .character("j"), .character("j")], 12, 2),
        ([.left], 0, 0), ([.up], 0, 0), ([.end], 29, 6), ([.end, .character("g")], 0, 0), ([.pageDown], 8, 1),
        ([.pageDown, .pageDown, .pageUp], 8, 2), ([.end, .up, .down], 29, 6),
        ([.end, .left, .left, .up, .right, .right, .down], 29, 6),
        ([.character("l"), .character("k"), .character("h")], 0, 0),
    ]

    @Test(arguments: moves)
    func keysMoveAndScroll(keys: [Key], selected: Int, firstRow: Int) {
        var state = state()
        #expect(press(keys, &state) == [])
        #expect(state.selected == selected && state.firstRow == firstRow)
    }

    @Test func selectedImageStaysOnTheScreenWhenItChangesItsSize() {
        var state = state()
        _ = press([.end], &state)
        for (columns, rows) in [(200, 50), (40, 12), (20, 8), (10, 3), (80, 24)] {
            _ = state.apply(.resized(CellSize(columns: columns, rows: rows)))
            #expect(state.selected == 29)
            #expect(state.visible.contains(29), "\(columns)x\(rows)")
        }
    }

    @Test func moreIsWantedAsOneGoesOn() {
        var state = state(of: 40)
        #expect(state.wantedCount == 32)
        _ = press([.pageDown, .pageDown], &state)
        #expect(state.wantedCount > 40)
        #expect(BrowseState(CellSize(columns: 10, rows: 3), query: "x", isListing: true).wantedCount == 0)
    }

    @Test func picturesOnTheScreenComeFirst() {
        var state = state()
        #expect(state.wantedPictures.map(\.index) == Array(0..<16))
        _ = press([.end], &state)
        #expect(state.wantedPictures.first?.index == 24 && state.wantedPictures.last?.index == 29)
        _ = press([.enter], &state)
        #expect(state.wantedPictures.map(\.index) == [29, 28] && state.wantedPictures.allSatisfy(\.isLarge))
    }

    @Test func spaceMarksAndDDownloadsMarkedOrCurrent() {
        var state = state()
        #expect(press([.right, .character("d")], &state) == [.download([state.items[1]])])
        _ = press([.character(" "), .right, .right, .character(" "), .right, .character(" "), .character(" ")], &state)
        #expect(state.marked == [1, 3])
        #expect(press([.character("d")], &state) == [.download([state.items[1], state.items[3]])])
        #expect(state.marked == [])
    }

    @Test func enterShowsDetailsAndEscapeLeadsBack() {
        var state = state()
        #expect(press([.right, .enter], &state) == [.loadDetails(state.items[1])])
        #expect(state.mode == .details(scroll: 0))
        #expect(press([.right], &state) == [.loadDetails(state.items[2])])
        let found = ImageDetails(item: state.items[2], attribution: "by Ana")
        _ = state.apply(.details(found, of: state.items[2].reference))
        #expect(press([.left, .right], &state) == [.loadDetails(state.items[1])], "once each")
        _ = press([.down, .down, .up], &state)
        #expect(state.mode == .details(scroll: 1))
        state.limitScroll(to: 3)
        #expect(state.mode == .details(scroll: 0))
        _ = press([.escape], &state)
        #expect(state.mode == .grid && state.selected == 2)
    }

    @Test func slashAsksForAnotherSearch() {
        var state = state()
        let typed = "red  fo".map { Key.character($0) } + [.backspace, .control("w"), .character("q")]
        _ = press([.character(" "), .character("/")] + typed, &state)
        #expect(state.mode == .search("red  q"), "q is a letter there")
        #expect(press([.enter], &state) == [.search("red  q")])
        #expect(state.items.isEmpty && state.marked.isEmpty && state.query == "red  q" && !state.hasEnded)
        // What still comes of the search before is no part of this one.
        _ = state.apply(.images([InventedItems.latin], listing: 0))
        _ = state.apply(.ended(listing: 0))
        #expect(state.items.isEmpty && !state.hasEnded)
        _ = state.apply(.images([InventedItems.latin], listing: 1))
        #expect(state.items.count == 1)
        #expect(press([.character("/"), .character("x"), .escape], &state) == [] && state.mode == .grid)
        #expect(press([.character("/"), .control("u"), .enter], &state) == [], "no words, no search")
    }

    @Test func quittingAsksOnceWhileFilesAreFetched() {
        var state = state()
        _ = state.apply(.download(DownloadProgress(done: 1, expected: 3), saved: ["pixabay:4"]))
        #expect(state.saved == ["pixabay:4"])
        #expect(press([.character("q")], &state) == [] && state.notice != nil)
        #expect(press([.right, .character("q")], &state) == [], "another key takes it back")
        #expect(press([.character("q")], &state) == [.quit(interrupted: false)])
        #expect(press([.control("c")], &state) == [.quit(interrupted: true)])
        _ = state.apply(.download(DownloadProgress(done: 3, expected: 3, failed: 1, bytes: 2_000), saved: []))
        #expect(state.notice == BrowseNotice(text: "downloaded 2 files, 2.0 kB; 1 failed", isError: true))
        #expect(press([.character("q")], &state) == [.quit(interrupted: false)])
    }

    @Test func withoutImagesKeysDoNothing() {
        var state = BrowseState(Self.screen, query: nil, isListing: false)
        #expect(state.mode == .search(""))
        _ = press([.escape], &state)
        let keys: [Key] = [.right, .down, .enter, .character(" "), .character("d"), .character("o"), .end, .pageDown]
        #expect(press(keys, &state) == [] && state.selected == 0 && state.marked.isEmpty && state.mode == .grid)
    }

    @Test func failureIsANoticeUntilTheNextKey() {
        var state = state()
        _ = state.apply(.failure("met: unavailable", listing: 0))
        #expect(state.notice?.isError == true)
        _ = press([.right], &state)
        #expect(state.notice == nil)
    }
}
