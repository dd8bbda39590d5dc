import ProviderModel
import Testing

@testable import Commands

struct TerminalTests {
    @Test(arguments: [
        (true, ["TERM": "xterm"], true, true),
        (true, ["TERM": "xterm", "NO_COLOR": "1"], false, false),
        (true, ["TERM": "xterm", "NO_COLOR": ""], true, true),
        (true, ["TERM": "dumb"], false, false),
        (true, [:], false, false),
        (true, ["TERM": "linux"], true, false),
        (false, ["TERM": "xterm"], false, false),
    ])
    func stylesDependOnTheTerminalAndItsUser(
        isTerminal: Bool,
        environment: [String: String],
        hasColors: Bool,
        hasLinks: Bool
    ) {
        let terminal = Terminal(isTerminal: isTerminal, columns: 80, environment: environment)
        #expect(terminal.hasColors == hasColors && terminal.hasLinks == hasLinks)
    }

    @Test(
        arguments: [
            (120, [:], 120), (nil, [:], 80), (nil, ["COLUMNS": "132"], 132), (0, ["COLUMNS": "100"], 100),
            (120, ["COLUMNS": "60"], 120), (nil, ["COLUMNS": "wide"], 80), (3, [:], 20),
        ] as [(Int?, [String: String], Int)]
    )
    func widthIsWhatTheDriverSaysElseTheEnvironment(columns: Int?, environment: [String: String], width: Int) {
        #expect(Terminal(isTerminal: true, columns: columns, environment: environment).width == width)
    }

    @Test func paintAndLinksAreEscapeSequences() {
        let terminal = Terminal.colored(80)
        #expect(terminal.paint("a", .bold) == "\u{1b}[1ma\u{1b}[0m")
        #expect(terminal.paint("", .bold) == "")
        let url = InventedItems.url("https://a.example/")
        #expect(terminal.link("a", to: url) == "\u{1b}]8;;https://a.example/\u{1b}\\a\u{1b}]8;;\u{1b}\\")
        #expect(Terminal.pipe.link(Terminal.pipe.paint("a", .bad), to: url) == "a")
    }
}
