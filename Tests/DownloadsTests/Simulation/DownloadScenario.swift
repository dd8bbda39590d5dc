import ProviderModel
import TestSupport

@testable import Downloads

/// What is downloaded in a simulation, from which server, in which form, and what happens to the processes that do it.
struct DownloadScenario: Sendable {
    /// One or two processes at work at the same time.
    struct Session: Sendable {
        var isRetry = false
        var ends: [SimulatedProcess.End]
        /// How long after the one before, in days.
        var days: Int
    }

    var options = DownloadOptions()
    var files: [SimulatedFile]
    var sessions: [Session]

    /// The scenario of a seed.
    init(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        options = Self.options(&chance)
        let count = Int.random(in: 1...7, using: &chance)
        files = (0..<count).map { Self.file($0, &chance) }
        sessions = (0..<Int.random(in: 1...4, using: &chance)).map { _ in Self.session(&chance) }
    }

    /// The inputs, some of them twice.
    var inputs: [DownloadInput] {
        (files + files.prefix(1)).map { file in
            DownloadInput(file.item.map { .item($0) } ?? .reference(ScriptedServer.origin + file.path))
        }
    }

    // MARK: Chance

    private static func options(_ chance: inout SeededGenerator) -> DownloadOptions {
        var options = DownloadOptions()
        options.name = ["{name}.{ext}", "{title|name}.{ext}", "{provider}/{id}.{ext}"].randomElement(using: &chance)!
        options.jobs = [1, 4].randomElement(using: &chance)!
        options.fetch.retries.attempts = 2
        options.fetch.retries.firstWait = .zero
        options.grace = .zero
        options.credits = [[], [.json], [.markdown, .json]].randomElement(using: &chance)!
        switch Int.random(in: 0..<8, using: &chance) {
        case 0: options.bundle = .init(.zip)
        case 1: options.bundle = .init(.cbz)
        case 2: options.output = .shards(.samples(Int.random(in: 1...4, using: &chance)))
        case 3: options.archive = .none
        case 4: options.duplicates = [.skip, .link].randomElement(using: &chance)!
        default: options.writesSidecars = Bool.random(using: &chance)
        }
        return options
    }

    private static func file(_ number: Int, _ chance: inout SeededGenerator) -> SimulatedFile {
        // Few names, titles and contents: many are the same.
        let name = ["fox", "owl", "Fox"].randomElement(using: &chance)!
        let ending = ["png", "png", "jpg", "php"].randomElement(using: &chance)!
        let path = "/\(number)/\(name).\(ending)"
        let content = contents[Int.random(in: 0..<contents.count, using: &chance)]
        return SimulatedFile(
            path: path, item: Bool.random(using: &chance) ? item(number, path, title: name) : nil, content: content,
            name: Int.random(in: 0..<3, using: &chance) == 0 ? "lynx.png" : nil, answers: answers(&chance))
    }

    private static func item(_ number: Int, _ path: String, title: String) -> Item {
        var item = Item(provider: ProviderID("example")!, id: "\(number)")
        item.title = title
        item.media = [Media(role: .original, url: try! WebURL(ScriptedServer.origin + path))]
        return item
    }

    private static func answers(_ chance: inout SeededGenerator) -> [SimulatedFile.Answer] {
        let passing: [SimulatedFile.Answer] = [
            .cut(Int.random(in: 0..<1_000, using: &chance)), .cut(999), .lost, .status(503), .status(404), .page,
        ]
        let last: [SimulatedFile.Answer] = [
            .whole, .whole, .whole, .whole, .chunked, .status(404), .status(403), .page, .lost, .cut(500),
        ]
        let before = (0..<[0, 0, 1, 3].randomElement(using: &chance)!).map { _ in passing.randomElement(using: &chance)!
        }
        return before + [last.randomElement(using: &chance)!]
    }

    private static func session(_ chance: inout SeededGenerator) -> Session {
        let ends = (0..<[1, 1, 2].randomElement(using: &chance)!).map { _ in end(&chance) }
        return Session(
            isRetry: Int.random(in: 0..<5, using: &chance) == 0, ends: ends,
            days: [0, 0, 1, 8].randomElement(using: &chance)!)
    }

    private static func end(_ chance: inout SeededGenerator) -> SimulatedProcess.End {
        let change = DiskChange.allCases.randomElement(using: &chance)!
        let number = Int.random(in: 1...[3, 12].randomElement(using: &chance)!, using: &chance)
        return switch Int.random(in: 0..<8, using: &chance) {
        case 0: .none
        case 1: .stopped(at: change, number: number)
        case 2: .full(at: change, number: number)
        default: .killed(before: change, number: number)
        }
    }

    /// Small pictures, and one that is long enough to be continued.
    private static let contents: [[UInt8]] =
        (1...5).map { number in TestPicture.png(width: 6, height: 6) { x, y in (x * 40, y * 40, number * 50) } }
        + [TestPicture.png(width: 320, height: 300) { x, y in (x, y, 7) }]
}
