import ImgScriptKit

/// What `providers info` prints: a provider's operations and parameters, limits, key and terms, and an example.
struct ManifestDescription {
    private let manifest: ProviderManifest

    init(_ manifest: ProviderManifest) { self.manifest = manifest }

    /// The description's lines.
    func lines(on terminal: Terminal) -> [String] {
        var table = KeyValueTable()
        table.add("Name", TableCell("\(manifest.name) (\(manifest.id) \(manifest.version))", .bold))
        table.add("About", manifest.summary.map { TableCell($0) })
        table.add("Homepage", manifest.homepage.map { TableCell($0.description, link: $0) })
        table.add("Operations", TableCell(manifest.operations.map(\.operation.rawValue).joined(separator: ", ")))
        table.add("Key", TableCell(key))
        table.add("Get one at", manifest.authentication.compactMap(\.help).first.map { TableCell($0) })
        table.add("Page size", TableCell(pageSize))
        table.add("Reachable", manifest.limits.reachable.map { TableCell("\($0) results") })
        table.add("Rate", values: manifest.limits.rates.map { TableCell($0.description) })
        for way in manifest.authentication { table.add("With a key", way.limits.map { TableCell(summary(of: $0)) }) }
        table.add("Requests to", TableCell(manifest.hosts.map(\.description).joined(separator: ", ")))
        table.add("Images from", TableCell(manifest.mediaHosts.map(\.description).joined(separator: ", ")))
        table.add("Terms", manifest.terms.url.map { TableCell($0.description, link: $0) })
        table.add("Licence", manifest.terms.license.map { TableCell($0) })
        table.add("Credit", manifest.terms.attribution.map { TableCell($0) })
        table.add("Example", TableCell(example))
        return table.lines(on: terminal) + parameterLines(on: terminal)
    }

    /// The parameters of each operation that has some.
    func parameterLines(on terminal: Terminal) -> [String] {
        manifest.operations.filter { !$0.parameters.isEmpty }.flatMap { operation in
            let title = "Parameters of \(operation.operation) (\(manifest.id))"
            return ["", TableCell(title, .bold).rendered(on: terminal)]
                + parameters(of: operation).lines(on: terminal)
        }
    }

    private func parameters(of operation: OperationDescription) -> KeyValueTable {
        var table = KeyValueTable()
        for parameter in operation.parameters {
            let standard = parameter.standard.map { " (default \($0))" } ?? ""
            let help = parameter.help.map { "\($0.hasSuffix(".") ? String($0.dropLast()) : $0): " } ?? ""
            table.add(parameter.name, TableCell("\(help)\(parameter.expectation)\(standard)"))
        }
        return table
    }

    private var key: String {
        guard !manifest.authentication.isEmpty else { return "none needed" }
        let names = manifest.authentication.map { $0.secretNames.joined(separator: " and ") }
        let choice = names.filter { !$0.isEmpty }.joined(separator: ", or ")
        return "\(manifest.needsKey ? "needed" : "optional"): \(choice); imgscript auth set \(manifest.id)"
    }

    private func summary(of limits: Limits) -> String {
        let reachable = limits.reachable.map { "\($0) results" }
        let rates = limits.rates.map(\.description).joined(separator: ", ")
        let parts = ["\(limits.pageSize.maximum) a page", reachable, rates.isEmpty ? nil : rates]
        return parts.compactMap(\.self).joined(separator: "; ")
    }

    private var pageSize: String {
        let size = manifest.limits.pageSize
        return size.minimum == size.maximum
            ? "\(size.maximum)" : "\(size.minimum) to \(size.maximum), usually \(size.standard)"
    }

    private var example: String {
        let search = manifest.description(of: .search)
        let operation = search ?? manifest.operations.first
        let parameter = operation?.parameters.first { !$0.values.isEmpty }
        let option = parameter.map { " --param \($0.name)=\($0.values.last ?? "")" } ?? ""
        return search != nil
            ? "imgscript search --provider \(manifest.id)\(option) coffee"
            : "imgscript feed --provider \(manifest.id)\(option)"
    }
}
