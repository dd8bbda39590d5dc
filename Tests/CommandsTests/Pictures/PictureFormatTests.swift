import ImgScript
import ProviderModel
import Testing

@testable import Commands

@Suite("Pictures are drawn as the terminal can show them")
struct PictureFormatTests {
    static let formats: [([String: String], PictureFormat)] = [
        (["TERM": "xterm-256color"], PictureFormat.symbols), (["TERM": "xterm-kitty"], .kitty),
        (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .kitty), (["TERM": "xterm-ghostty"], .kitty),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .iterm),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .iterm),
        (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], .iterm), (["TERM": "foot"], .sixels),
        (["TERM": "mlterm-256color"], .sixels), (["TERM": "xterm-sixel"], .sixels), (["TERM": "xterm"], .symbols),
        // What passes on text alone.
        (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], .symbols),
        (["TERM": "xterm-kitty", "TMUX": "/tmp/tmux-0/default,1,0"], .symbols),
        (["TERM": "xterm-kitty", "NO_COLOR": "1"], .symbols), ([:], .symbols),
    ]

    @Test(arguments: formats)
    func environmentSaysTheFormat(environment: [String: String], format: PictureFormat) {
        #expect(PictureFormat.detected(in: environment) == format)
    }

    static let colours: [([String: String], PictureColors)] = [
        (["TERM": "xterm"], PictureColors.few), (["TERM": "xterm-256color"], .many),
        (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .full), (["TERM": "xterm-direct"], .full),
        (["TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
        (["TERM": "linux", "NO_COLOR": ""], .few),
    ]

    @Test(arguments: colours)
    func environmentSaysTheColours(environment: [String: String], colors: PictureColors) {
        #expect(PictureColors(in: environment) == colors)
    }

    private func row(_ item: Item) -> PreviewRow { PreviewRow(item: item, number: 12, style: .accent(0)) }

    @Test(arguments: [20, 40, 80, 200])
    func textBesideAPictureKeepsToItsWidth(columns: Int) {
        for terminal in [Terminal.colored(columns), .colorless(columns)] {
            let box = PreviewRow.box(on: terminal)
            for item in InventedItems.all {
                for picture in [
                    nil, RenderedPicture(size: CellSize(columns: 2, rows: 2), content: .lines(["ab", "cd"])),
                ] {
                    let lines = row(item).lines(picture, in: box, on: terminal).seen.lines
                    #expect(lines.allSatisfy { $0.displayWidth <= columns }, "\(lines)")
                    #expect(lines.contains { $0.contains("12  ") } && lines.last == "")
                    #expect(!lines.joined().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x9b })
                }
            }
        }
    }

    @Test func rowNamesWhatIsKnown() {
        let terminal = Terminal.colorless(80)
        let lines = row(InventedItems.latin).lines(nil, in: PreviewRow.box(on: terminal), on: terminal).lines
        #expect(
            lines == [
                "╭──────────────╮  12  Cup of coffee on a wooden table", "│              │  Jane Miller",
                "│  no picture  │  Pixabay Content · 4000×3000", "│              │  pixabay:171653",
                "╰──────────────╯  https://pixabay.com/photos/coffee-cup-171653/", "",
            ])
    }

    @Test func graphicsAreDrawnOverLinesThatAreThere() {
        let picture = RenderedPicture(size: CellSize(columns: 10, rows: 6), content: .graphics("PICTURE"))
        let terminal = Terminal.colorless(80)
        let text = row(InventedItems.bare).lines(picture, in: PreviewRow.box(on: terminal), on: terminal)
        #expect(text.hasSuffix("\n\n\u{1b}7\u{1b}[7A\rPICTURE\u{1b}8"))
        #expect(text.filter { $0 == "\n" }.count == 7)
    }

    static let browsers: [(String, [[String]])] = [
        ("firefox", [["firefox", "https://a.example/1"], ["xdg-open", "https://a.example/1"]]),
        ("", [["xdg-open", "https://a.example/1"]]),
        (
            "chromium --new-window %s:w3m",
            [
                ["chromium", "--new-window", "https://a.example/1"], ["w3m", "https://a.example/1"],
                ["xdg-open", "https://a.example/1"],
            ]
        ),
    ]

    @Test(arguments: browsers)
    func browserIsTheUsersOwn(variable: String, commands: [[String]]) throws {
        #expect(BrowserProgram.commands(for: try WebURL("https://a.example/1"), variable) == commands)
    }
}
