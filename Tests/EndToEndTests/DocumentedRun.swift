import Testing

/// What is typed for a documented provider, and what is printed for the invented answers.
struct DocumentedRun: CustomTestStringConvertible {
    let command: String
    let format: String
    let output: String

    var testDescription: String { command }

    init(_ command: String, _ format: String, prints output: String) {
        self.command = command
        self.format = format
        self.output = output
    }

    /// One run or more of every provider.
    static let all = contract + guide

    private static let contract = [
        DocumentedRun(
            "search -p dogs hound", "{id} {url}",
            prints: "hound-afghan/n1.jpg https://images.dog.ceo/breeds/hound-afghan/n1.jpg"),
        DocumentedRun(
            "search -p nasa moon", "{id} {title} {created} {url}",
            prints: "m1 Moon 1969-07-20T00:00:00Z https://images-assets.nasa.gov/m1~thumb.jpg"),
        DocumentedRun(
            "search -p met fox", "{id} {title} {license.id} {url}",
            prints: "7 Fox cc0-1.0 https://images.metmuseum.org/7.jpg"),
        DocumentedRun(
            "search -p fediverse fox", "{id} {title} {description} {url}",
            prints: "1-2 A fox Look & see https://files.example/2.jpg"),
        DocumentedRun(
            "search -p stock fox", "{id} {title} {author.id} {media.thumbnail.url}",
            prints: "s1 Fox anna https://cdn.stock.example/s1-small.jpg"),
        DocumentedRun("show https://stock.example/photos/red-fox-s1", "{id} {width}", prints: "s1 800"),
        DocumentedRun("show stock:user:anna", "{id} {title}", prints: "s2 Hare"),
        DocumentedRun(
            "search -p asking --near 52.52,13.4 fox", "{id} {url}", prints: "f1 https://cdn.asking.example/f1.jpg"),
        DocumentedRun("feed -p guestbook", "{id} {url}", prints: "5 https://api.guest.example/5.png"),
        DocumentedRun(
            "search -p wallpapers fox", "{id} {title} {page} {url}",
            prints: "w1 Fox in snow https://wallpapers.example/w/1 https://img.wallpapers.example/1.jpg"),
        DocumentedRun(
            "feed -p wallpapers", "{id} {title} {created} {url}",
            prints: "w9 Fox & hare 2024-05-01T12:00:00Z https://img.wallpapers.example/9.jpg"),
        DocumentedRun(
            "search -p board fox", "{id} {tags} {url}", prints: "3 fox; snow https://files.board.example/3.png"),
    ]
}
