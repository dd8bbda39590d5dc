import ArgumentParser
import ImgScript

/// Options of commands that print a list of images.
struct ListingOptions: ParsableArguments {
    @OptionGroup var selection: SelectionOptions

    @Flag(help: "Go on where the last run of the same listing stopped.")
    var resume = false

    @Flag(help: "Print the tags of the results with their counts in place of the results.")
    var tags = false

    @Option(
        name: [.customShort("f", allowingJoined: true), .long],
        help: ArgumentHelp(
            "table, json, jsonl, csv, urls, or a '{template}' of fields. (default: table)", valueName: "format"),
        transform: { try OutputFormat($0) })
    var format = OutputFormat.table

    func validate() throws {
        guard tags else { return }
        switch format {
        case .table, .json, .jsonl, .csv: return
        case .urls, .template:
            throw ValidationError("--tags prints tags with their counts; its formats are table, json, jsonl and csv.")
        }
    }

    /// The most images from each provider.
    var limit: Int { selection.limit }

    /// What the engine is asked for.
    var searchOptions: SearchOptions { selection.searchOptions }
}
