/// How a script reads the items of an answer of one kind.
protocol DraftedReading: Sendable {
    /// How many items were recorded.
    var count: Int { get }
    /// The hosts of the files.
    var mediaHosts: [String] { get }
    /// What a reader should look at again.
    var notes: [String] { get }
    /// What was made of the answer.
    var findings: [ProviderDraft.Finding] { get }

    /// What `accept` of a request names; nil for JSON.
    var accept: String? { get }
    /// The expression of the answer's JSON.
    var root: String { get }
    /// Helpers of `require('imgscript')` that are used.
    var helpers: Set<String> { get }
    /// The server that paths in the answer lead from; nil where there are none.
    var site: String? { get }
    /// The expression of the page's items.
    var items: String { get }
    /// The function that makes an item, and those it needs.
    var function: String { get }

    /// Whether every item has a file.
    var hasFiles: Bool { get }
    /// What a test expects of the page.
    func expectations(total: AnswerTotal?) -> [String]
}

extension DraftedReading {
    var root: String { "res.json" }
    var site: String? { nil }
    var hasFiles: Bool { true }
    func expectations(total: AnswerTotal?) -> [String] { Self.someItems }

    /// The expectation where it is not known which items a page keeps.
    static var someItems: [String] { ["expect(page.items.length).toBeGreaterThan(0);"] }
}
