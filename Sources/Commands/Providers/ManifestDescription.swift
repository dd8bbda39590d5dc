import ImgScript
import ProviderModel

/// A provider's operations and parameters, limits, key and terms, with an example.
struct ManifestDescription {
    private let manifest: ProviderManifest

    /// The server that the user chose, for software that runs on many.
    private let chosenServer: String?

    /// The provider's file; nil for a manifest alone.
    private let listing: ProviderListing?

    init(_ manifest: ProviderManifest, server: String? = nil, _ listing: ProviderListing? = nil) {
        self.manifest = manifest
        self.listing = listing
        chosenServer = server
    }

    /// The description's lines.
    func lines(on terminal: Terminal) -> [String] {
        var table = Table()
        table.add("Name", TableCell("\(manifest.name) (\(manifest.id) \(manifest.version))", .bold))
        table.add("About", manifest.summary.map { TableCell($0) })
        table.add("Deprecated", manifest.deprecated.map { TableCell("since \($0.day): \($0.note)", .warning) })
        table.add("Status", listing?.broken.map { TableCell($0.description, .warning) })
        table.add("Homepage", manifest.homepage.map { TableCell($0.description, link: $0) })
        table.add("File", listing.map { TableCell($0.path) })
        table.add("Pack", listing.flatMap(\.pack).map { TableCell($0) })
        table.add("Report to", listing.flatMap(\.bugs).map { TableCell($0) })
        table.add("Operations", TableCell(manifest.operations.map(\.operation.rawValue).joined(separator: ", ")))
        table.add("Near", near.map { TableCell($0) })
        table.add("Key", TableCell(key))
        table.add("Keys at", manifest.authentication.compactMap(\.help).first.map { TableCell($0) })
        table.add("Page size", TableCell(pageSize))
        table.add("Reachable", manifest.limits.reachable.map { TableCell("\($0.grouped) results") })
        table.add("Concurrency", manifest.limits.concurrent.map { TableCell($0 == 1 ? "1 request" : "\($0) requests") })
        table.add("Rate", rates(in: manifest.limits).map { TableCell($0) })
        for method in manifest.authentication {
            table.add("With a key", method.limits.map { TableCell(summary(of: $0)) })
        }
        table.add("Server", server.map { TableCell($0) })
        table.add("Requests to", TableCell(places(manifest.hosts)))
        table.add("Images from", TableCell(places(manifest.mediaHosts)))
        table.add("Terms", manifest.terms.url.map { TableCell($0.description, link: $0) })
        table.add("Licence", manifest.terms.license.map { TableCell($0) })
        table.add("Credit", manifest.terms.attribution.map { TableCell($0) })
        table.add("Notice", manifest.terms.notice.map { TableCell($0) })
        table.add("Cached", cacheDuration.map { TableCell($0) })
        table.add("Linking", manifest.terms.allowsHotlinking.map { TableCell($0 ? hotlinked : downloaded) })
        table.add("Example", TableCell(example))
        return table.lines(on: terminal) + parameterLines(on: terminal)
    }

    /// The parameters of each operation that has some; those that several operations share stand once.
    func parameterLines(on terminal: Terminal) -> [String] {
        let withSome = manifest.operations.filter { !$0.parameters.isEmpty }
        return withSome.enumerated().flatMap { index, operation -> [String] in
            let isRepeated = withSome[..<index].contains { $0.parameters == operation.parameters }
            guard !isRepeated else { return [] }
            let names = withSome.filter { $0.parameters == operation.parameters }.map(\.operation.rawValue)
            let title = "Parameters of \(names.joined(separator: " and ")) (\(manifest.id))"
            return ["", TableCell(title, .bold).rendered(on: terminal)]
                + parameters(of: operation).lines(on: terminal)
        }
    }

    private func parameters(of operation: OperationDescription) -> Table {
        var table = Table()
        for parameter in operation.parameters {
            table.add(parameter.name, TableCell(text(of: parameter)))
        }
        return table
    }

    /// `How safe. One of safe, explicit, any (default safe)`; that a text is a text goes without saying.
    private func text(of parameter: ParameterDescription) -> String {
        let condition = parameter.condition.map { " (also --\($0.rawValue))" } ?? ""
        let standard = (parameter.default.map { " (default \($0))" } ?? "") + condition
        guard var help = parameter.help else { return parameter.expectation + standard }
        if help.hasSuffix(".") { help.removeLast() }
        guard parameter.kind != .string else { return help + standard }
        return "\(help). \(parameter.expectation.prefix(1).uppercased())\(parameter.expectation.dropFirst())\(standard)"
    }

    private var near: String? {
        let operations = manifest.operations.filter(\.takesPoint).map(\.operation.rawValue)
        return operations.isEmpty ? nil : "\(operations.joined(separator: " and ")) with --near LAT,LON"
    }

    /// How long responses are cached, by the terms.
    private var cacheDuration: String? {
        let least = manifest.terms.cacheAtLeast.map { "at least \(Duration.seconds($0).inWords)" }
        let most = manifest.terms.cacheAtMost.map { "at most \(Duration.seconds($0).inWords)" }
        let bounds = [least, most].compactMap(\.self)
        return bounds.isEmpty ? nil : bounds.joined(separator: ", ")
    }

    private var hotlinked: String { "show images from the source's own servers" }
    private var downloaded: String { "fetch images before showing them" }

    /// The server, for software that runs on many.
    private var server: String? {
        guard let instance = manifest.instance else { return nil }
        let standard =
            chosenServer.map { "\($0) (set by --instance)" }
            ?? instance.default.map { "\($0) (or --instance URL)" } ?? "required: --instance URL"
        return [standard, instance.help].compactMap(\.self).joined(separator: ": ")
    }

    /// Hosts for display: one that is chosen, and all.
    private func places(_ hosts: [HostPattern]) -> String {
        hosts.map { host in
            switch host.description {
            case "{instance}": "that server"
            case "*": "any host"
            default: host.description
            }
        }.joined(separator: ", ")
    }

    private var key: String {
        guard !manifest.authentication.isEmpty else { return "not needed" }
        let names = manifest.authentication.map { method in
            guard !method.hasLogin else { return "a login" }
            return method.secretNames.map { name in
                guard name == AuthenticationMethod.cookieSecret, let needs = method.neededCookies, !needs.isEmpty else {
                    return name
                }
                return "\(name) (\(needs.joined(separator: ", ")))"
            }.joined(separator: " and ")
        }
        let choice = names.filter { !$0.isEmpty }.joined(separator: ", or ")
        let hasLogin = manifest.authentication.contains(where: \.hasLogin)
        let takesCookies = manifest.authentication.contains { $0.neededCookies != nil }
        let commands = [
            manifest.keyMethod == nil ? nil : "imgscript auth set \(manifest.id)",
            hasLogin ? "imgscript auth login \(manifest.id)" : nil,
            takesCookies && manifest.keyMethod == nil ? "imgscript auth set \(manifest.id) --cookies FILE" : nil,
        ]
        let all = [choice] + commands.compactMap(\.self)
        return "\(manifest.needsKey ? "required" : "optional"): \(all.joined(separator: "; "))"
    }

    private func summary(of limits: Limits) -> String {
        let reachable = limits.reachable.map { "\($0.grouped) results" }
        let parts = ["\(limits.pageSize.maximum.grouped) a page", reachable, rates(in: limits)]
        return parts.compactMap(\.self).joined(separator: "; ")
    }

    /// `20 requests in 60 s, 200 in 1 day`.
    private func rates(in limits: Limits) -> String? {
        let texts = limits.rates.enumerated().map { index, rate in
            let unit = index > 0 ? "" : rate.requests == 1 ? " request" : " requests"
            return "\(rate.requests.grouped)\(unit) in \(Duration.seconds(rate.seconds).inWords)"
        }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    private var pageSize: String {
        let size = manifest.limits.pageSize
        return size.minimum == size.maximum
            ? size.maximum.grouped : "\(size.minimum) to \(size.maximum.grouped), usually \(size.default)"
    }

    /// A word as a shell takes it.
    private func quoted(_ word: String) -> String { word.contains(" ") ? "'\(word)'" : word }

    private var example: String {
        let search = manifest.description(of: .search)
        let operation = search ?? manifest.operations.first
        let parameter = operation?.parameters.first { !$0.values.isEmpty }
        let choice = parameter.map { " --param \(quoted("\($0.name)=\($0.values.last ?? "")"))" } ?? ""
        let isServerOpen = manifest.instance.map { $0.default == nil } ?? false
        let option = isServerOpen ? " --instance https://…\(choice)" : choice
        return search != nil
            ? "imgscript search --provider \(manifest.id)\(option) coffee"
            : "imgscript feed --provider \(manifest.id)\(option)"
    }
}
