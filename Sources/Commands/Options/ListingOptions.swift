import ArgumentParser
import ImgScript

/// Options of commands that print a list of images.
struct ListingOptions: ParsableArguments {
    @OptionGroup var selection: SelectionOptions

    @Flag(help: "continue where the last run of the same listing stopped")
    var resume = false

    @Flag(help: "print the tags of the results with their counts instead of the results")
    var tags = false

    @Option(
        name: [.customShort("f", allowingJoined: true), .long],
        help: ArgumentHelp(
            "output format: table, json, jsonl, csv, urls or a '{template}' of fields (default: table)",
            valueName: "format"),
        completion: .list(OutputFormat.names), transform: { try OutputFormat($0) })
    var format = OutputFormat.table

    @Flag(help: "keep control characters and line breaks of values in csv and templates")
    var raw = false

    @Flag(help: "show a thumbnail beside each result; needs a terminal and chafa")
    var preview = false

    @OptionGroup var pictures: PictureOptions

    /// What becomes of values in csv and templates.
    var cleaning: (String) -> String {
        if raw { return { $0 } }
        return { TerminalText.line($0) }
    }

    func validate() throws {
        if resume, selection.range != nil { throw ValidationError.exclusive(["--range", "--resume"]) }
        if raw {
            switch format {
            case .csv, .template: break
            case .table, .json, .jsonl, .urls:
                throw ValidationError("--raw: unsupported format (expected csv or a template; JSON is never cleaned)")
            }
        }
        if preview {
            guard !tags else { throw ValidationError.exclusive(["--preview", "--tags"]) }
            guard case .table = format else {
                throw ValidationError("--preview: unsupported format (expected table)")
            }
        }
        guard tags else { return }
        switch format {
        case .table, .json, .jsonl, .csv: return
        case .urls, .template:
            throw ValidationError("--tags: unsupported format (expected table, json, jsonl or csv)")
        }
    }
}

/// Which images of a listing are wanted, and how many.
struct SelectionOptions: ParsableArguments {
    /// How many images may be asked for: more than any source has, few enough to be added up over all of them.
    static let limits = 1...1_000_000_000

    @Option(name: .limit, within: limits, help: .limit)
    var givenLimit: Int?

    @Option(
        help: ArgumentHelp(
            "only the results at these places, of each provider: 2-5,8 or 20-; instead of --limit", valueName: "places"),
        transform: Self.range)
    var range: ResultRange?

    @Option(
        within: 1...1_000_000, help: ArgumentHelp("images per request, within each provider's limits", valueName: "n"))
    var pageSize: Int?

    @Option(
        name: .customLong("pages-in-flight"), within: 1...64,
        help: ArgumentHelp("maximum number of concurrent page requests per provider (default: 4)", valueName: "n"))
    var givenPagesInFlight: Int?

    @Option(name: .customLong("param"), help: .parameters)
    var parameters: [String] = []

    // A latitude in the south begins with a dash.
    @Option(parsing: .unconditional, help: ArgumentHelp("search around a point, in degrees", valueName: "lat,lon"))
    var near: String?

    @Option(name: .customLong("tag"), help: ArgumentHelp("only images with this tag", valueName: "tag"))
    var requiredTags: [String] = []

    @Option(within: 1...1_000_000, help: ArgumentHelp("only images of at least this width", valueName: "pixels"))
    var minWidth: Int?

    @Option(within: 1...1_000_000, help: ArgumentHelp("only images of at least this height", valueName: "pixels"))
    var minHeight: Int?

    @Option(
        name: .customLong("license"),
        help: ArgumentHelp("only images with this licence, such as cc-by", valueName: "id"),
        completion: .list(LicenseChoice.common))
    var licenses: [String] = []

    @OptionGroup var narrowing: NarrowingOptions

    @Flag(help: "fail on any invalid field of a result instead of leaving it out")
    var strict = false

    /// How many images of each provider are wanted.
    var limit: Int {
        guard let range else { return givenLimit ?? 20 }
        return min(range.last ?? .max, Self.limits.upperBound)
    }

    /// The most images of each provider.
    var maximumCount: Int { range?.count ?? limit }

    /// The number of pages of a provider that are requested at the same time.
    var pagesInFlight: Int { givenPagesInFlight ?? 4 }

    func validate() throws {
        if range != nil, givenLimit != nil { throw ValidationError.exclusive(["--range", "--limit"]) }
        _ = try Self.values(of: parameters)
        if requiredTags.contains("") { throw ValidationError("--tag: empty value (expected a tag)") }
        if licenses.contains("") { throw ValidationError("--license: empty value (expected an id such as cc-by)") }
        _ = try near.map(Self.point)
    }

    /// What the engine is asked for.
    var searchOptions: SearchOptions {
        get throws {
            var options = SearchOptions()
            options.limit = limit
            options.range = range
            options.pageSize = pageSize
            options.pagesInFlight = pagesInFlight
            options.parameters = try Self.values(of: parameters)
            options.near = try near.map(Self.point)
            options.filter.tags = requiredTags
            options.filter.minimumWidth = minWidth
            options.filter.minimumHeight = minHeight
            options.filter.licenses = licenses
            narrowing.apply(to: &options.filter)
            return options
        }
    }

    /// The inputs of a download that are wanted.
    var inputSelection: InputSelection {
        get throws {
            var inputs = InputSelection()
            inputs.options = try searchOptions
            inputs.limit = givenLimit
            return inputs
        }
    }

    /// The given options whose conditions need facts about an image, as they are typed.
    var conditions: [String] {
        let given = [
            ("--tag", !requiredTags.isEmpty), ("--min-width", minWidth != nil), ("--min-height", minHeight != nil),
            ("--license", !licenses.isEmpty),
        ]
        return given.filter(\.1).map(\.0) + narrowing.conditions
    }

    /// The given options that only listings have a use for, as they are typed.
    var optionsOfListings: [String] {
        let given = [
            ("--page-size", pageSize != nil), ("--pages-in-flight", givenPagesInFlight != nil),
            ("--param", !parameters.isEmpty), ("--near", near != nil),
        ]
        return given.filter(\.1).map(\.0)
    }

    private static func range(_ text: String) throws -> ResultRange {
        guard let range = ResultRange(text) else {
            throw ValidationError("expected places counted from 1, such as 5, 2-5,8 or 20-")
        }
        return range
    }

    /// The values of `name=value` texts by their names.
    static func values(of texts: [String]) throws -> [String: String] {
        var values: [String: String] = [:]
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw ValidationError("--param: invalid value: \"\(text)\" (expected name=value)")
            }
            guard values.updateValue(parts[1], forKey: parts[0]) == nil else {
                throw ValidationError(
                    "--param \(parts[0]): given twice (expected one value; several are written \(parts[0])=a,b)")
            }
        }
        return values
    }

    /// The point that `--near` names.
    static func point(_ text: String) throws -> ProviderQuery.Point {
        let parts = text.split(separator: ",").map { Double($0.trimmingSpaces) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            let point = ProviderQuery.Point(latitude: latitude, longitude: longitude)
        else {
            throw ValidationError(
                "--near: invalid point: \"\(text)\" (expected a latitude from -90 to 90 and a longitude from -180 to 180, "
                    + "such as 52.52,13.40)")
        }
        return point
    }
}

/// The licences that `--license` takes.
enum LicenseChoice {
    /// The licences that many sources have, without their versions.
    static let common = [
        "cc0", "pdm", "public-domain", "cc-by", "cc-by-sa", "cc-by-nd", "cc-by-nc", "cc-by-nc-sa", "cc-by-nc-nd",
        "cc-sa",
        "cc-nc", "cc-nd", "cc-nc-sa", "cc-nd-nc",
    ]
    /// What the ids of further licences begin with: statements of rightsstatements.org, and a missing copyright.
    private static let families = ["rs-", "no-known-"]

    /// Throws where an id is neither common nor one of a provider's own, which begin with its name.
    static func check(_ ids: [String], of providers: [String]) throws {
        for id in ids.map({ $0.lowercased() }) {
            let isCommon = common.contains {
                id == $0 || id.hasPrefix("\($0)-") && id.dropFirst($0.count + 1).first?.isNumber == true
            }
            let isOwn = providers.contains { id == $0 || id.hasPrefix("\($0)-") }
            guard !isCommon, !isOwn, !families.contains(where: id.hasPrefix) else { continue }
            let expected = "\(common.prefix(9).joined(separator: ", ")), rs-…, or a provider's own, such as unsplash"
            throw ValidationError(
                "unknown licence \"\(id)\"\(id.suggestion(among: common + providers, expected: expected))")
        }
    }
}
