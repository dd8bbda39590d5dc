import ProviderModel
import WorkerProtocol

/// Reads the arguments of `run.search(…)` and the like, with what holds when they are left out, as for a user's query.
struct TestArguments {
    let operation: ProviderOperation
    let manifest: ProviderManifest
    let instance: WebURL?

    /// The call that the arguments, a list, make.
    func call(_ reader: inout ContractReader) throws(ContractViolation) -> OperationCall {
        var query = ProviderQuery()
        var item = Item(provider: manifest.id, id: "")
        var media: [Media] = []
        var index = 0
        try reader.array { reader throws(ContractViolation) in
            switch (operation, index) {
            case (.search, 0), (.feed, 0), (.collection, 1), (.similar, 0): query = try self.query(&reader)
            case (.details, 0), (.collection, 0), (.download, 1): item = try Item(&reader)
            case (.download, 0):
                try reader.array("an array of media", atMost: 1_000) { reader throws(ContractViolation) in
                    media.append(try Media(&reader))
                }
            default: try reader.skip()
            }
            index += 1
        }
        item.provider = manifest.id
        switch operation {
        case .search: return .search(query)
        case .feed: return .feed(query)
        case .details: return .details(item, instance: instance)
        case .collection: return .collection(item, query)
        case .similar:
            query.image = query.image ?? .sample
            return .similar(query)
        case .download:
            guard let media = media.first else { throw reader.violation("expected a media entry of an item") }
            return .download(media, item, instance: instance)
        case .session: return .session(instance: instance)
        }
    }

    private func query(_ reader: inout ContractReader) throws(ContractViolation) -> ProviderQuery {
        var query = ProviderQuery()
        query.instance = instance
        query.limit = manifest.limits.pageSize.default
        var (page, offset): (Int?, Int?) = (nil, nil)
        var given: [String: ParameterValue] = [:]
        try reader.object("a query such as { text: 'coffee' }") { reader, name throws(ContractViolation) in
            switch name {
            case "text": query.text = try reader.optionalString() ?? ""
            case "page": page = try reader.optionalInteger(in: 1...1_000_000, "a page's number, from 1")
            case "offset": offset = try reader.optionalInteger(in: 0...100_000_000, "the first item's index, from 0")
            case "limit":
                let limit = try reader.optionalInteger(in: 1...1_000_000, "a whole number of at least 1")
                query.limit = manifest.limits.pageSize.clamp(limit ?? query.limit)
            case "cursor": query.cursor = try reader.takeAbsent("a cursor") ? nil : try reader.jsonText()
            case "params": given = try parameters(&reader)
            case "near": query.near = try point(&reader)
            case "instance": query.instance = try reader.optionalURL() ?? instance
            case "image": query.image = try reader.optionalURL().map { SearchImage(url: $0) }
            default:
                let known = "text, limit, params, page, offset, cursor, near, image, instance"
                throw reader.violation("expected one of \(known)")
            }
        }
        query.offset = offset ?? ((page ?? 1) - 1) * query.limit
        query.page = page ?? query.offset / query.limit + 1
        query.parameters = known.compactMap { parameter in
            // A default that is none is the manifest's fault, reported where the manifest is checked.
            let standard = parameter.default.flatMap { try? parameter.value(from: $0) }
            return (given[parameter.name] ?? standard).map { ProviderQuery.Parameter(parameter.name, $0) }
        }
        return query
    }

    private var known: [ParameterDescription] { manifest.description(of: operation)?.parameters ?? [] }

    private func parameters(_ reader: inout ContractReader) throws(ContractViolation) -> [String: ParameterValue] {
        var values: [String: ParameterValue] = [:]
        if try reader.takeAbsent("an object of parameters") { return [:] }
        try reader.object("an object of parameters") { reader, name throws(ContractViolation) in
            guard let parameter = known.first(where: { $0.name == name }) else {
                let names = known.map(\.name).joined(separator: ", ")
                throw reader.violation("expected one of \(names.isEmpty ? "none" : names)")
            }
            if try reader.takeAbsent(parameter.expectation) { return }
            let text = try self.text(of: &reader, parameter)
            do throws(InvalidParameter) { values[name] = try parameter.value(from: text) } catch {
                throw reader.violation("expected \(parameter.expectation), found \(text.quoted)")
            }
        }
        return values
    }

    /// A value as a user would type it.
    private func text(
        of reader: inout ContractReader, _ parameter: ParameterDescription
    ) throws(ContractViolation) -> String {
        switch reader.peek() {
        case UInt8(ascii: "\""): return try reader.string()
        case UInt8(ascii: "["): return try reader.strings().joined(separator: ",")
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return try reader.boolean() ? "true" : "false"
        default: return try reader.number(parameter.expectation).shortest
        }
    }

    private func point(_ reader: inout ContractReader) throws(ContractViolation) -> ProviderQuery.Point? {
        if try reader.takeAbsent("a point") { return nil }
        var (latitude, longitude): (Double?, Double?) = (nil, nil)
        try reader.object("a point { lat, lon }") { reader, name throws(ContractViolation) in
            switch name {
            case "lat": latitude = try reader.number("degrees north")
            case "lon": longitude = try reader.number("degrees east")
            default: try reader.skip()
            }
        }
        guard let latitude, let longitude, let point = ProviderQuery.Point(latitude: latitude, longitude: longitude)
        else {
            throw reader.violation("expected a point { lat, lon } with valid coordinates")
        }
        return point
    }
}
