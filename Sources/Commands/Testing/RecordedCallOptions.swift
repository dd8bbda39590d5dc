import ArgumentParser
import ImgScript
import ProviderModel
import ProviderRuntime
import ProviderTesting

/// Options that name the call to record.
struct RecordedCallOptions: ParsableArguments {
    @Option(help: ArgumentHelp("text to search for (default: that of the recorded search)", valueName: "text"))
    var text: String?

    @Option(help: ArgumentHelp("record only this operation, such as details", valueName: "operation"))
    var call: RecordedOperation?

    @Option(help: ArgumentHelp("id of the item, for collection, details and download", valueName: "id"))
    var item: String?

    @Option(name: .customLong("param"), help: .parameters)
    var parameters: [String] = []

    @Option(
        within: 1...1_000_000, help: ArgumentHelp("images per request, within the provider's limits", valueName: "n"))
    var pageSize: Int?

    // A latitude in the south begins with a dash.
    @Option(parsing: .unconditional, help: ArgumentHelp("point to search around, in degrees", valueName: "lat,lon"))
    var near: String?

    @Option(help: ArgumentHelp("URL of the image, for similar", valueName: "url"))
    var image: String?

    @Option(help: ArgumentHelp("number of pages to record, or all (default: 2)", valueName: "n"))
    var pages: RecordedPages?

    /// The given options, as typed.
    var given: [String] {
        let options = [
            ("--text", text != nil), ("--call", call != nil), ("--item", item != nil), ("--param", !parameters.isEmpty),
            ("--page-size", pageSize != nil), ("--near", near != nil), ("--image", image != nil),
            ("--pages", pages != nil),
        ]
        return options.filter(\.1).map(\.0)
    }

    /// What is recorded.
    var choice: RecordingChoice {
        get throws {
            var choice = RecordingChoice(text: text, pages: pages?.count)
            guard given.contains(where: { $0 != "--pages" && $0 != "--text" }) else { return choice }
            let operation = call?.operation ?? (image != nil ? .similar : .search)
            if operation == .search, text == nil {
                throw ValidationError("--text is missing (expected a text to search for, such as --text sea)")
            }
            if let text, operation != .search {
                throw ValidationError("--text \(text.quoted): only allowed with --call search")
            }
            var recorded = RecordedCall(operation, text: text ?? "", limit: pageSize, item: item)
            let needsItem = [.collection, .details, .download].contains(operation)
            guard needsItem == (item != nil) else {
                throw ValidationError(
                    needsItem
                        ? "--item is missing (expected the id of an item for --call \(operation))"
                        : "--item: only allowed with --call collection, details or download")
            }
            if operation == .download { recorded.media = 0 }
            let values = try SelectionOptions.values(of: parameters)
            recorded.parameters = values.sorted { $0.key < $1.key }.map { NamedValue($0.key, $0.value) }
            recorded.near = try near.map(SelectionOptions.point)
            if let image {
                do throws(InvalidURL) { recorded.image = try WebURL(image) } catch {
                    throw ValidationError("--image: invalid URL: \(error)")
                }
            }
            choice.call = recorded
            return choice
        }
    }
}

/// The operation of a call to record.
struct RecordedOperation: ExpressibleByArgument {
    let operation: ProviderOperation

    init?(argument: String) {
        guard let operation = ProviderOperation(rawValue: argument), operation != .session else { return nil }
        self.operation = operation
    }

    static var allValueStrings: [String] { ProviderOperation.allCases.filter { $0 != .session }.map(\.rawValue) }
}

/// How many pages are recorded.
struct RecordedPages: ExpressibleByArgument {
    let count: Int

    init?(argument: String) {
        guard let count = argument == "all" ? RecordingChoice.allPages : Int(argument),
            (1...RecordingChoice.allPages).contains(count)
        else { return nil }
        self.count = count
    }
}
