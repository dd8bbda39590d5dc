import ProviderModel

/// Makes a provider's query from search options, within its limits.
struct QueryBuilder {
    let manifest: ProviderManifest
    let listing: Listing

    /// The first query of a listing; the error tells what the provider accepts.
    func query(_ options: SearchOptions) throws(ProviderError) -> ProviderQuery {
        guard let description = manifest.description(of: listing.operation) else {
            let known = manifest.operations.map(\.operation.rawValue).joined(separator: ", ")
            throw error(
                .unsupported, "this source has no \(listing.operation) (it has \(known))",
                hint: manifest.deprecated.map { .plain("\(manifest.name) is \($0)") })
        }
        let text = listing.text
        if case .search = listing { try checkLength(of: text) }
        if options.near != nil, !description.takesPoint {
            throw error(.unsupported, "this source has no search around a point")
        }
        var query = ProviderQuery(text: text)
        query.limit = pageSize(for: options)
        query.near = options.near
        let known = description.parameters
        let given = given(options, known).merging(conditionValues(options, known)) { given, _ in given }
        query.parameters = try parameters(given, known)
        return query
    }

    /// The conditions of the options' filter that the query asks the source for.
    func conditions(_ options: SearchOptions) -> [ParameterDescription.Condition] {
        let known = manifest.description(of: listing.operation)?.parameters ?? []
        let names = Set(conditionValues(options, known).keys)
        return known.filter { names.contains($0.name) }.compactMap(\.condition)
    }

    private func checkLength(of text: String) throws(ProviderError) {
        let limits = manifest.limits
        let count = text.trimmingSpaces.count
        if count < limits.textMinimum {
            let found = count == 0 ? "is empty" : "has \(characters(count))"
            let message = "the search text \(found) (expected at least \(characters(limits.textMinimum)))"
            throw error(.unsupported, message)
        }
        if let maximum = limits.textMaximum, text.count > maximum {
            throw error(
                .unsupported, "the search text has \(characters(text.count)) (expected at most \(maximum))")
        }
    }

    private func characters(_ count: Int) -> String { count == 1 ? "1 character" : "\(count) characters" }

    /// The page size that needs the fewest requests.
    private func pageSize(for options: SearchOptions) -> Int {
        let size = manifest.limits.pageSize
        if options.answersAreRecorded { return size.default }
        if let wanted = options.pageSize { return size.clamp(wanted) }
        return options.filter.isEmpty ? size.clamp(options.limit) : size.clamp(max(options.limit, size.default))
    }

    /// The values of parameters that ask for conditions, by the parameters' names: of those that the user did not give, and
    /// that the source can check.
    private func conditionValues(_ options: SearchOptions, _ known: [ParameterDescription]) -> [String: String] {
        guard !options.filter.isEmpty, !options.answersAreRecorded else { return [:] }
        let given = given(options, known)
        var values: [String: String] = [:]
        for description in known where given[description.name] == nil {
            guard let condition = description.condition,
                let text = options.filter.value(of: condition, for: description),
                // A value that the parameter does not take is checked by the host alone.
                (try? description.value(from: text)) != nil
            else { continue }
            values[description.name] = text
        }
        return values
    }

    /// The parameters that are meant for this provider.
    private func given(_ options: SearchOptions, _ known: [ParameterDescription]) -> [String: String] {
        var given = options.parameters
        if options.skipsUnknownParameters {
            given = given.filter { name, _ in known.contains { $0.name == name } }
        }
        return given.merging(options.parametersByProvider[manifest.id.description] ?? [:]) { $1 }
    }

    private func parameters(
        _ given: [String: String], _ known: [ParameterDescription]
    ) throws(ProviderError) -> [ProviderQuery.Parameter] {
        for name in given.keys.sorted() where !known.contains(where: { $0.name == name }) {
            let names = known.map(\.name)
            let expected = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw error(
                .unsupported, "unknown parameter \(name.quoted)\(name.suggestion(among: names, expected: expected))")
        }
        var parameters: [ProviderQuery.Parameter] = []
        for description in known {
            guard let text = given[description.name] ?? description.default else { continue }
            do throws(InvalidParameter) {
                parameters.append(ProviderQuery.Parameter(description.name, try description.value(from: text)))
            } catch {
                throw self.error(.unsupported, "\(error)")
            }
        }
        return parameters
    }

    private func error(_ code: ProviderError.Code, _ message: String, hint: Hint? = nil) -> ProviderError {
        ProviderError(
            code, provider: manifest.id.description, operation: listing.operation, message: message, hint: hint)
    }
}
