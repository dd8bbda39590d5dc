import ProviderModel

@testable import Commands

/// Invented items, with everything that makes a table crooked.
enum InventedItems {
    static let pixabay = provider("pixabay")
    static let flickr = provider("flickr")
    static let commons = provider("wikimedia-commons")

    static let latin = item(
        pixabay,
        "171653",
        title: "Cup of coffee on a wooden table",
        author: "Jane Miller",
        size: (4000, 3000),
        license: License(id: "pixabay", name: "Pixabay Content License"),
        page: "https://pixabay.com/photos/coffee-cup-171653/"
    )
    static let long = item(
        flickr,
        "52345678901",
        title: "Morning ☕️ in Lisbon 🇵🇹, with pastéis de nata and a very long sentence about the weather",
        author: "João Gonçalves de Albuquerque e Silva",
        size: (6000, 4000),
        license: License(id: "cc-by-sa-4.0"),
        page: "https://www.flickr.com/photos/12345678@N00/52345678901/"
    )
    static let chinese = item(
        commons,
        "M999",
        title: "咖啡館的早晨：一杯拿鐵和一本關於旅行的舊書，窗外是台北的雨",
        author: "王小明",
        size: (10000, 6667),
        license: License(id: "cc0-1.0"),
        page: "https://commons.wikimedia.org/wiki/File:Cafe.jpg"
    )
    static let arabic = item(
        pixabay,
        "2",
        title: "فنجان قهوة عربية",
        author: "أحمد علي",
        size: (1920, 1080),
        page: "https://pixabay.com/photos/arabic-coffee-2/"
    )
    static let combining = item(
        flickr,
        "3",
        title: "Cafe\u{301} cre\u{300}me 👩‍👩‍👧‍👦 e\u{301}",
        author: "한국 사진가",
        license: License(id: "cc-by-nc-nd-2.0"),
        page: "https://www.flickr.com/photos/x/3/"
    )
    static let bare = item(commons, "4")
    static let hostile = item(
        pixabay,
        "5",
        title: "Evil \u{1b}]0;owned\u{07}title \u{1b}[31mred\u{202e}gnp.exe\r\nnext\u{9b}2J",
        author: "\u{1b}P+q544e\u{1b}\\mallory\u{7f}\u{85}!",
        size: (12000, 10000)
    )

    static let all = [latin, long, chinese, arabic, combining, bare, hostile]
    static let providers = [pixabay, flickr, commons]

    static func provider(_ text: String) -> ProviderID { ProviderID(text)! }

    static func item(
        _ provider: ProviderID,
        _ id: String,
        title: String? = nil,
        author: String? = nil,
        size: (Int, Int)? = nil,
        license: License? = nil,
        page: String? = nil
    ) -> Item {
        var item = Item(provider: provider, id: id)
        item.title = title
        item.author = author.map { Author(name: $0) }
        item.license = license
        item.page = page.map(url)
        if let size { item.media = [media(.original, "https://cdn.example.com/\(id).jpg", size)] }
        return item
    }

    static func media(_ role: Media.Role, _ address: String, _ size: (Int, Int)? = nil) -> Media {
        var media = Media(role: role, url: url(address))
        media.width = size?.0
        media.height = size?.1
        return media
    }

    static func url(_ text: String) -> WebURL { try! WebURL(text) }
}

extension Terminal {
    /// A capable terminal of so many columns.
    static func colored(_ columns: Int) -> Terminal {
        Terminal(isTerminal: true, columns: columns, environment: ["TERM": "xterm-256color"])
    }

    /// A terminal whose user wants no colours.
    static func colorless(_ columns: Int) -> Terminal {
        Terminal(isTerminal: true, columns: columns, environment: ["TERM": "xterm-256color", "NO_COLOR": "1"])
    }
}

extension String {
    /// What a person sees of text written to a terminal: no styles, no links, no isolates.
    var seen: String {
        let plain = replacing(#/\u{1b}\[[0-9;]*m/#, with: "").replacing(#/\u{1b}\]8;;[^\u{1b}]*\u{1b}\\/#, with: "")
        return String(String.UnicodeScalarView(plain.unicodeScalars.filter { !(0x2066...0x2069).contains($0.value) }))
    }

    /// The lines without the last line break.
    var lines: [String] { split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }
}
