import ProviderModel
import Testing

@testable import Commands

struct TableTests {
    private static let table: Table = {
        var table = Table(columns: [
            .init("Provider"), .init("Name", .cut(to: 8)), .init("Notes"), .init("Rate", alignment: .right),
            .init("Terms", .cut(to: 12)),
        ])
        for (id, name, rate) in [("pixabay", "Pixabay", "100"), ("met", "大都會藝術博物館 in New York", "5")] {
            let url = InventedItems.url("https://\(id).example/terms/")
            table.add([
                TableCell(id, .accent(0)), TableCell(name), .empty, TableCell(rate),
                TableCell("\(url)", .dim, link: url),
            ])
        }
        return table
    }()

    @Test(arguments: [
        (
            Terminal.pipe,
            [
                "Provider  Name                          Rate  Terms",
                "pixabay   Pixabay                        100  https://pixabay.example/terms/",
                "met       大都會藝術博物館 in New York     5  https://met.example/terms/",
            ]
        ),
        (
            .colored(60),
            [
                "Provider  Name                   Rate  Terms",
                "pixabay   Pixabay                 100  https://pixabay.exam…",
                "met       大都會藝術博物館 in…      5  https://met.example/…",
            ]
        ),
        (
            .colored(30),
            [
                "Provider  Name            Rate",
                "pixabay   Pixabay          100",
                "met       大都會藝術博…      5",
            ]
        ),
    ])
    func columnsFitTheTerminal(terminal: Terminal, expected: [String]) {
        #expect(Self.table.lines(on: terminal).map(\.seen) == expected)
    }

    /// What is shown of the others is worth more than one long column, and `providers info` has the address.
    @Test(arguments: [
        (70, "met       大都會藝術博物館 in N…     5  https://met.example/terms/"),
        (50, "met       大都會藝術博物館 in New York     5"),
    ])
    func addressThatIsNoLinkIsShownWholeOrNotAtAll(_ columns: Int, expected: String) {
        let terminal = Terminal(isTerminal: true, columns: columns, environment: ["TERM": "linux"])
        let lines = Self.table.lines(on: terminal).map(\.seen)
        #expect(lines.last == expected)
        #expect(lines.allSatisfy { $0.displayWidth <= columns })
    }

    @Test func widestColumnIsCutFirst() {
        let lines = Self.table.lines(on: .colored(70)).map(\.seen)
        #expect(lines.allSatisfy { $0.displayWidth <= 70 })
        #expect(lines[1].hasSuffix("…") && lines[2].contains("大都會藝術博物館 in New"))
    }

    /// Columns that are never cut would make lines that the terminal breaks anywhere.
    @Test func rowsAreListsWhereTheirColumnsDoNotFit() {
        var table = Table(columns: [
            .init("Provider"), .init("Requests go to"), .init("Size", alignment: .right), .init("Page", .cut(to: 8)),
        ])
        table.add([TableCell("openverse"), TableCell("api.openverse.org"), TableCell("12 KB"), TableCell("first")])
        table.add([.empty, TableCell("www.openverse.org"), .empty, .empty])
        table.add([TableCell("met"), TableCell("collectionapi.metmuseum.org"), TableCell("1 KB"), .empty])
        #expect(
            table.lines(on: .colored(40)).map(\.seen) == [
                "openverse", "  Requests go to  api.openverse.org", "                  www.openverse.org",
                "  Size            12 KB", "  Page            first", "met",
                "  Requests go to  collectionapi.metmuseu", "                  m.org", "  Size            1 KB",
            ])
        for width in 40...80 { #expect(table.lines(on: .colored(width)).allSatisfy { $0.seen.displayWidth <= width }) }
    }

    @Test func columnThatDoesNotFitStandsBelowItsRow() {
        var table = Table(columns: [.init("Status"), .init("Came"), .init("URL", .below)])
        table.add([TableCell("200"), TableCell("3 min ago"), TableCell("https://openverse.org/images?q=fox")])
        #expect(table.lines(on: .colored(60)).map(\.seen)[1] == "200     3 min ago  https://openverse.org/images?q=fox")
        #expect(
            table.lines(on: .colored(41)).map(\.seen) == [
                "Status  Came", "200     3 min ago", "  https://openverse.org/images?q=fox",
            ])
    }

    /// Programs read lines, and terminals scroll: nothing is broken in a pipe.
    @Test func nothingIsWrappedInAPipe() {
        var table = Table()
        table.add("Tags", TableCell(String(repeating: "coffee ", count: 30) + "cup"))
        #expect(table.lines(on: .pipe).count == 1)
        #expect(table.lines(on: .colored(80)).count == 3)
    }

    @Test func labelsAlignAndValuesWrap() {
        var table = Table()
        let url = InventedItems.url("https://pixabay.com/users/jane-miller/")
        table.add("Author", TableCell("Jane Miller"), TableCell("\(url)", .dim, link: url))
        table.add("Nothing", nil, TableCell(""))
        table.add("Tags", TableCell("coffee, cup, wooden table, breakfast, morning"))
        #expect(
            table.lines(on: .colored(40)).map(\.seen) == [
                "Author  Jane Miller", "        https://pixabay.com/users/jane-miller/",
                "Tags    coffee, cup, wooden table,",
                "        breakfast, morning",
            ]
        )
    }

    @Test func checksShowAMarkAndAHint() {
        var checks = CheckList()
        checks.add(.good, "worker", "9 ms")
        #expect(!checks.hasFailure)
        checks.add(.doubtful, "cache", "nearly full", hint: "imgscript cache clear makes room")
        checks.add(.bad, "pixabay", "no key", hint: "get one at https://pixabay.com/api/docs/ and save it")
        #expect(checks.hasFailure)
        #expect(
            checks.lines(on: .colored(40)).map(\.seen) == [
                "✓ worker   9 ms", "! cache    nearly full", "  hint: imgscript cache clear makes room",
                "✗ pixabay  no key",
                "  hint: get one at", "        https://pixabay.com/api/docs/", "        and save it",
            ]
        )
    }
}
