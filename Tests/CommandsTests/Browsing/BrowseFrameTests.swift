import ImgScript
import Testing

@testable import Commands

@Suite("What is drawn of a state")
struct BrowseFrameTests {
    private static let sizes = [(80, 24), (200, 50), (40, 12), (20, 8)]

    private func state(_ columns: Int, _ rows: Int) -> BrowseState {
        var state = BrowseState(CellSize(columns: columns, rows: rows), query: "coffee", isListing: true)
        _ = state.apply(.images(InventedItems.all + InventedItems.all, listing: 0))
        return state
    }

    /// The screen as lines without styles; no piece may leave its place, or lie over another.
    private func lines(_ state: BrowseState, on terminal: Terminal) -> [String] {
        let size = state.layout.size
        var cells = Array(repeating: Array(repeating: "", count: size.columns), count: size.rows)
        for piece in BrowseFrame(state, on: terminal.resized(to: size.columns)).pieces where !piece.isGraphics {
            #expect(!piece.text.contains("\u{7}") && !piece.text.contains("\n"))
            var column = piece.column - 1
            for character in piece.text.seen {
                let width = DisplayWidth.of(character)
                guard column + max(width, 1) <= size.columns, piece.line <= size.rows else {
                    Issue.record("\(piece) leaves the screen of \(size)")
                    break
                }
                guard width > 0 else { continue }
                #expect(cells[piece.line - 1][column] == "", "\(piece) lies over another")
                cells[piece.line - 1][column] = String(character)
                if width == 2 { cells[piece.line - 1][column + 1] = "\u{0}" }
                column += width
            }
        }
        return cells.map { $0.map { $0.isEmpty ? " " : $0 }.joined().replacing("\u{0}", with: "") }
    }

    @Test(arguments: sizes)
    func everythingKeepsToItsPlace(columns: Int, rows: Int) {
        var state = state(columns, rows)
        for terminal in [Terminal.colored(columns), .colorless(columns)] {
            for keys in [
                [Key.right], [.end], [.character(" ")], [.enter], [.down], [.escape],
                [.character("/"), .character("咖")],
            ] {
                for key in keys { _ = state.apply(.key(key)) }
                let lines = lines(state, on: terminal)
                #expect(lines.count == rows)
                #expect(lines.last?.contains("quit") == true || lines.joined().contains("search: "), "\(lines)")
            }
            _ = state.apply(.key(.escape))
        }
    }

    @Test func selectedAndMarkedAreSeenWithoutColours() {
        var state = state(80, 24)
        for key in [Key.character(" "), .right] { _ = state.apply(.key(key)) }
        let lines = lines(state, on: .colorless(80))
        #expect(lines[0].hasSuffix("1 marked · 2 of 14+ "), "\(lines[0])")
        #expect(lines[1].contains("┏━━━━━━━━━━━━━━━━━━┓"))
        #expect(lines.contains { $0.contains("✓ Cup of coffee") })
        #expect(lines.contains { $0.contains("┃Morning ☕️ in") }, "\(lines)")
        #expect(lines.filter { $0.contains("┗") }.count == 1)
    }

    @Test func hostileTitlesAreTextAlone() {
        var state = BrowseState(CellSize(columns: 80, rows: 24), query: "\u{1b}]0;owned\u{7}x", isListing: true)
        _ = state.apply(.images([InventedItems.hostile], listing: 0))
        for key in [Key.right, .enter] {
            _ = state.apply(.key(key))
            let text = BrowseFrame(state, on: .colorless(80)).pieces.map(\.text).joined()
            #expect(
                !text.unicodeScalars.contains { $0.value < 0x20 || (0x7f..<0xa0).contains($0.value) },
                "\(text.debugDescription)")
        }
    }

    @Test func smallScreenSaysSo() {
        let lines = lines(state(20, 5), on: .colorless(20))
        #expect(lines.joined().contains("too small: 20x5"))
        #expect(lines.count == 5)
        _ = BrowseFrame(state(1, 1), on: .colorless(20))
    }

    @Test func pictureStandsInTheMiddleOfItsPlace() {
        var state = state(80, 24)
        let drawn = RenderedPicture(size: CellSize(columns: 4, rows: 3), content: .lines(["abcd", "efgh", "ijkl"]))
        _ = state.apply(.picture(state.picture(of: 0), drawn))
        _ = state.apply(.picture(state.picture(of: 1), nil))
        let lines = lines(state, on: .colorless(80))
        #expect(lines[4].hasPrefix("┃       abcd       ┃"), "\(lines[4])")
        #expect(lines.contains { $0.contains("│   no picture   │") } && lines.contains { $0.contains("loading…") })
    }

    @Test func onlyWhatChangedIsWritten() {
        var writer = ScreenWriter(isKitty: true)
        var state = state(80, 24)
        let whole = writer.update(to: BrowseFrame(state, on: .colored(80)))
        #expect(whole.contains("\u{1b}[2J") && whole.contains("\u{1b}_Ga=d"))
        #expect(!writer.update(to: BrowseFrame(state, on: .colored(80))).contains("coffee"))
        let graphics = RenderedPicture(
            size: CellSize(columns: 4, rows: 3), content: .graphics("\u{1b}_GPICTURE\u{1b}\\"))
        _ = state.apply(.picture(state.picture(of: 0), graphics))
        let added = writer.update(to: BrowseFrame(state, on: .colored(80)))
        #expect(added.contains("\u{1b}[5;9H\u{1b}_GPICTURE") && !added.contains("\u{1b}[2J"))
        // The picture goes with its row: text over it would not take it away.
        _ = state.apply(.key(.end))
        #expect(writer.update(to: BrowseFrame(state, on: .colored(80))).contains("\u{1b}[2J"))
    }
}
