import ArgumentParser
import ImgScript

/// Which images of a listing are wanted, and how many.
struct SelectionOptions: ParsableArguments {
    /// How many images may be asked for: more than any source has, few enough to be added up over all of them.
    static let limits = 1...1_000_000_000

    @Option(
        name: [.customShort("n", allowingJoined: true), .long], within: limits,
        help: ArgumentHelp("The most images from each provider.", valueName: "n"))
    var limit = 20

    @Option(
        within: 1...1_000_000,
        help: ArgumentHelp("Images per request, within each provider's bounds.", valueName: "n"))
    var pageSize: Int?

    @Option(within: 1...64, help: ArgumentHelp("The most pages of a provider fetched side by side.", valueName: "n"))
    var pagesInFlight = 4

    @Option(
        name: .customLong("param"),
        help: ArgumentHelp(
            "A parameter of the provider; imgscript providers info NAME lists them.", valueName: "name=value"))
    var parameters: [String] = []

    // What is south of the equator begins with a dash.
    @Option(
        parsing: .unconditional, help: ArgumentHelp("A point to search around, in degrees.", valueName: "lat,lon"))
    var near: String?

    @Option(name: .customLong("tag"), help: ArgumentHelp("Only images with this tag.", valueName: "tag"))
    var requiredTags: [String] = []

    @Option(within: 1...1_000_000, help: ArgumentHelp("Only images known to be this wide.", valueName: "pixels"))
    var minWidth: Int?

    @Option(within: 1...1_000_000, help: ArgumentHelp("Only images known to be this high.", valueName: "pixels"))
    var minHeight: Int?

    @Option(
        name: .customLong("license"),
        help: ArgumentHelp("Only images with this licence, such as cc-by.", valueName: "id"))
    var licenses: [String] = []

    func validate() throws {
        for text in parameters where !text.dropFirst().contains("=") {
            throw ValidationError("--param is “\(text)”, expected name=value.")
        }
        var names: Set<Substring> = []
        for name in parameters.compactMap({ $0.split(separator: "=").first }) where !names.insert(name).inserted {
            throw ValidationError("--param \(name) is given twice; several values go into one: \(name)=a,b.")
        }
        if requiredTags.contains("") { throw ValidationError("--tag is empty, expected a tag.") }
        if licenses.contains("") { throw ValidationError("--license is empty, expected an id such as cc-by.") }
        if let near, Self.point(near) == nil {
            throw ValidationError(
                "--near is “\(near)”, expected a latitude from -90 to 90 and a longitude from -180 to 180, such as "
                    + "52.52,13.40.")
        }
    }

    /// What the engine is asked for.
    var searchOptions: SearchOptions {
        var options = SearchOptions()
        options.limit = limit
        options.pageSize = pageSize
        options.pagesInFlight = pagesInFlight
        for text in parameters {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            options.parameters[String(parts[0])] = String(parts[1])
        }
        options.near = near.flatMap(Self.point)
        options.filter.tags = requiredTags
        options.filter.minimumWidth = minWidth
        options.filter.minimumHeight = minHeight
        options.filter.licenses = licenses
        return options
    }

    private static func point(_ text: String) -> ProviderQuery.Point? {
        let parts = text.split(separator: ",").map { Double($0.trimmingSpaces) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
        return ProviderQuery.Point(latitude: latitude, longitude: longitude)
    }
}
