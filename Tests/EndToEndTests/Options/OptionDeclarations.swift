/// The options of the commands that the table is about, as the built program declares them.
struct OptionDeclarations {
    /// The options of `download`, and those that `watch` adds.
    let names: Set<String>
    /// The options of `search`, `feed` and `show`, by the command.
    let listings: [String: Set<String>]
    private let watch: Set<String>
    private let flags: Set<String>

    /// The declarations of the built program.
    static let all = Result { try OptionDeclarations() }

    private init() throws {
        let root = try CommandLineDescription.ofImgscript().command
        let download = root["download"]?.arguments ?? []
        let add = root["watch", "add"]?.arguments ?? []
        // What is not displayed is for the program itself.
        let shown = (download + add).filter { $0.shouldDisplay != false }
        names = Set(shown.compactMap(\.longName)).subtracting(["help", "version"])
        listings = Dictionary(
            uniqueKeysWithValues: ["search", "feed", "show"].map { name in
                let shown = (root[name]?.arguments ?? []).filter { $0.shouldDisplay != false }
                return (name, Set(shown.compactMap(\.longName)).subtracting(["help", "version"]))
            })
        watch = Set(add.compactMap(\.longName))
        flags = Set((download + add).filter { $0.kind == "flag" }.compactMap(\.longName))
    }

    /// Options in two: those of `watch add`, and those of its query.
    static func split(_ options: [String]) throws -> (own: [String], query: [String]) {
        let all = try all.get()
        var (own, query): ([String], [String]) = ([], [])
        var words = options[...]
        while let word = words.popFirst() {
            let name = word == "-n" ? "limit" : String(word.dropFirst(2).prefix { $0 != "=" })
            var option = [word]
            if !all.flags.contains(name), !word.contains("="), let value = words.popFirst() { option.append(value) }
            if all.watch.contains(name) { own += option } else { query += option }
        }
        return (own, query)
    }
}
