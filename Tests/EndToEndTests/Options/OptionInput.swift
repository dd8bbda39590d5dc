/// A kind of input that `imgscript download` and `imgscript watch` take images from.
enum OptionInput: String, CaseIterable, Sendable {
    case search
    case feed
    case collection
    case id
    case pageURL = "page URL"
    case fileURL = "file URL"
    case list
    case jsonLines = "JSON lines"
    case csv = "CSV"
    case standardInput = "standard input"
    case retry = "--retry-failed"
    case watch

    /// The inputs whose images a source lists.
    static let listings: Set<OptionInput> = [.search, .feed, .collection, .watch]
    /// The inputs that name single images.
    static let single = Set(allCases).subtracting(listings)
    /// The inputs whose images a provider knows.
    static let ofProviders = Set(allCases).subtracting([.fileURL])
}
