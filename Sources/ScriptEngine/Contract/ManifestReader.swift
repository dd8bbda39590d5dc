import ProviderModel
import WorkerProtocol

extension ContractReader {
    /// Reads what a provider file exports: everything but its functions, which are none of JSON's.
    mutating func manifest(operations: [OperationDescription]) throws(ContractViolation) -> ProviderManifest {
        var manifest = ProviderManifest(id: .unset, name: "", version: "")
        var options: [ProviderOperation: OperationOptions] = [:]
        var seen: Set<String> = []
        try passingViolations { reader throws(ContractViolation) in
            try reader.object("module.exports to be a provider") { reader, name throws(ContractViolation) in
                seen.insert(name)
                if let operation = ProviderOperation(rawValue: name) {
                    options[operation] = try reader.operationOptions(of: operation)
                } else {
                    try reader.manifestMember(name, of: &manifest)
                }
            }
            for (name, expectation) in Self.requiredMembers where !seen.contains(name) {
                try reader.pass(reader.missing(name, expectation))
            }
        }
        manifest.operations = operations.map { description in
            var description = description
            let options = options[description.operation] ?? OperationOptions()
            description.parameters = options.parameters
            description.takesPoint = options.takesPoint
            description.addsMedia = options.addsMedia
            description.isNewestFirst = options.isNewestFirst
            description.newestFirstParameters = options.newestFirstParameters
            // A file is what most take.
            let kinds = options.imageKinds.isEmpty ? [.file] : options.imageKinds
            description.imageKinds = description.operation == .similar ? kinds : []
            return description
        }
        return manifest
    }

    static let requiredMembers: [(name: String, expectation: String)] = [
        ("contract", "1, the version of the contract"), ("id", "a provider id"), ("name", "a string"),
        ("version", "a version such as 1.0.0"),
        ("hosts", "an array of hosts"), ("mediaHosts", "an array of hosts"),
    ]

    private mutating func manifestMember(
        _ name: String, of manifest: inout ProviderManifest
    ) throws(ContractViolation) {
        switch ProviderField(rawValue: name) {
        case .contract:
            let contract = try number("1")
            guard contract == 1 else {
                throw violation("expected 1, the contract this version speaks, found \(contract.shortest)")
            }
        case .id:
            let text = try string("a provider id")
            guard let id = ProviderID(text) else {
                throw violation("expected 1 to 64 of a–z, 0–9 and -, found \(text.quoted)")
            }
            manifest.id = id
        case .name: manifest.name = try nonEmptyString("a string that is not empty")
        case .version: manifest.version = try version()
        case .homepage: manifest.homepage = try optionalURL()
        case .summary: manifest.summary = try optionalString()
        case .category: manifest.category = try choice(SourceCategory.self)
        case .adult: manifest.isForAdults = try boolean()
        case .bugs: manifest.bugs = try optionalURL()
        case .deprecated: manifest.deprecated = try deprecation()
        case .base: manifest.base = try optionalURL()
        case .instance: manifest.instance = try instance()
        case .hosts: manifest.hosts = try hosts()
        case .mediaHosts: manifest.mediaHosts = try hosts()
        case .methods: manifest.methods = try methods()
        case .auth: manifest.authentication = try authentication()
        case .limits: manifest.limits = try limits()
        case .terms: manifest.terms = try terms()
        case .paging: manifest.paging = try choice(Paging.self)
        case .match: manifest.matches = try matches()
        case .check: throw expected("a function")
        case nil: throw Self.unknownMember(name)
        }
    }

    /// Fails for a function that is no member of a provider: JSON leaves functions out, so no reader sees it.
    static func checkFunction(named name: String) throws(ContractViolation) {
        guard ProviderField(rawValue: name) == nil || name == "check" else {
            throw ContractViolation(path: name, message: "expected a value, found a function")
        }
        if name != "check" && ProviderOperation(rawValue: name) == nil { throw unknownMember(name) }
    }

    private static func unknownMember(_ name: String) -> ContractViolation {
        let hint = suggestion(for: name, among: ProviderField.names + ProviderOperation.allCases.map(\.rawValue))
        return ContractViolation(
            path: [PathStep.field(name)].text, message: "expected a field of a provider, found \(name.quoted)\(hint)")
    }

    // MARK: Members

    private mutating func version() throws(ContractViolation) -> String {
        let text = try string("a version such as 1.0.0")
        let core = text.prefix { $0 != "-" && $0 != "+" }.split(separator: ".", omittingEmptySubsequences: false)
        guard core.count == 3, core.allSatisfy({ Int($0) != nil }) else {
            throw violation("expected a version such as 1.0.0, found \(text.quoted)")
        }
        return text
    }

    private mutating func hosts() throws(ContractViolation) -> [HostPattern] {
        var hosts: [HostPattern] = []
        try array("an array of hosts") { reader throws(ContractViolation) in
            let text = try reader.string("a host")
            guard let host = HostPattern(text) else {
                throw reader.violation("expected a host such as api.example.com, found \(text.quoted)")
            }
            hosts.append(host)
        }
        return hosts
    }

    private mutating func methods() throws(ContractViolation) -> [ProviderRequest.Method] {
        var methods: [ProviderRequest.Method] = []
        try array("an array of methods") { reader throws(ContractViolation) in
            methods.append(try reader.choice(ProviderRequest.Method.self))
        }
        return methods
    }

    private mutating func deprecation() throws(ContractViolation) -> Deprecation {
        var deprecation = Deprecation()
        try object { reader, name throws(ContractViolation) in
            switch DeprecationField(rawValue: name) {
            case .date: deprecation.date = try reader.day()
            case .ends: deprecation.ends = try reader.day()
            case .note: deprecation.note = try reader.nonEmptyString("a sentence")
            case nil: throw reader.unknown(name, in: DeprecationField.self, "date, ends and note")
            }
        }
        if deprecation.date.isEmpty { throw missing("date", "a day such as 2026-05-01") }
        if deprecation.note.isEmpty { throw missing("note", "a sentence") }
        return deprecation
    }

    private mutating func day() throws(ContractViolation) -> String {
        let day = try string("a day such as 2026-05-01")
        guard DateTime(iso8601: day) != nil, day.utf8.count == 10 else {
            throw violation("expected a day such as 2026-05-01, found \(day.quoted)")
        }
        return day
    }

    private mutating func instance() throws(ContractViolation) -> Instance {
        var instance = Instance()
        try object { reader, name throws(ContractViolation) in
            switch InstanceField(rawValue: name) {
            case .default: instance.default = try reader.optionalURL()
            case .help: instance.help = try reader.optionalString()
            case nil: throw reader.unknown(name, in: InstanceField.self, "default or help")
            }
        }
        return instance
    }

    private mutating func matches() throws(ContractViolation) -> [PageMatch] {
        var matches: [PageMatch] = []
        try array { reader throws(ContractViolation) in
            var (patterns, id, type): ([String]?, String?, Item.Kind) = (nil, nil, .image)
            try reader.object { reader, name throws(ContractViolation) in
                switch MatchField(rawValue: name) {
                case .pattern: patterns = try reader.patterns()
                case .item:
                    try reader.object { reader, name throws(ContractViolation) in
                        switch MatchItemField(rawValue: name) {
                        case .id: id = try reader.nonEmptyString("a template")
                        case .type: type = try reader.choice(Item.Kind.self)
                        case nil: throw reader.unknown(name, in: MatchItemField.self, "id or type")
                        }
                    }
                case nil: throw reader.unknown(name, in: MatchField.self, "pattern and item")
                }
            }
            guard let patterns else { throw reader.missing("pattern", "a pattern") }
            guard let id else { throw reader.missing("item", "an object with an id") }
            matches += patterns.map { PageMatch(pattern: $0, id: id, type: type) }
        }
        return matches
    }

    /// One pattern, or several for the same item.
    private mutating func patterns() throws(ContractViolation) -> [String] {
        guard peek() == UInt8(ascii: "[") else { return [try nonEmptyString("a pattern")] }
        var patterns: [String] = []
        try array { reader throws(ContractViolation) in patterns.append(try reader.nonEmptyString("a pattern")) }
        return patterns
    }
}

// MARK: - Operations

/// What an operation says beside its functions.
struct OperationOptions {
    /// Its own parameters.
    var parameters: [ParameterDescription] = []
    /// Whether it lists what lies around a point.
    var takesPoint = false
    /// Whether it has files that lists lack.
    var addsMedia = false
    /// What it takes, for `similar`.
    var imageKinds: [SearchImage.Kind] = []
    /// Whether it lists the newest items first, and the values of parameters with which it does.
    var isNewestFirst = false
    var newestFirstParameters: [NamedValue] = []
}

extension ContractReader {
    /// What an operation that is a pair, or has `run`, says beside its functions.
    mutating func operationOptions(of operation: ProviderOperation) throws(ContractViolation) -> OperationOptions {
        var options = OperationOptions()
        try object("functions request and parse, or run") { reader, name throws(ContractViolation) in
            switch OperationField(rawValue: name) {
            case .params:
                try reader.object { reader, name throws(ContractViolation) in
                    options.parameters.append(try reader.parameter(named: name))
                }
            case .near: options.takesPoint = try reader.boolean()
            case .media:
                options.addsMedia = try reader.boolean()
                if options.addsMedia, operation != .details {
                    throw reader.violation("expected it in details alone, found it in \(operation.rawValue)")
                }
            case .image:
                try reader.array("an array of 'url' and 'file'") { reader throws(ContractViolation) in
                    options.imageKinds.append(try reader.choice(SearchImage.Kind.self))
                }
                guard operation == .similar else {
                    throw reader.violation("expected it in similar alone, found it in \(operation.rawValue)")
                }
            case .newestFirst:
                try reader.readNewestFirst(into: &options)
                guard [.search, .feed, .collection].contains(operation) else {
                    throw reader.violation("expected it in a listing, found it in \(operation.rawValue)")
                }
            case nil:
                throw reader.unknown(
                    name, in: OperationField.self, "params, near, media, image, newestFirst, request, parse and run")
            }
        }
        for parameter in options.newestFirstParameters
        where !options.parameters.contains(where: { $0.name == parameter.name }) {
            throw violation("expected parameters of the operation in newestFirst, found \(parameter.name.quoted)")
        }
        return options
    }

    /// `true`, or values of parameters: `{ sort: ['newest'] }`.
    private mutating func readNewestFirst(into options: inout OperationOptions) throws(ContractViolation) {
        guard peek() == UInt8(ascii: "{") else {
            options.isNewestFirst = try boolean()
            return
        }
        options.isNewestFirst = true
        try object("true, or values by parameter") { reader, name throws(ContractViolation) in
            options.newestFirstParameters += try reader.strings().map { NamedValue(name, $0) }
        }
    }

    private mutating func parameter(named name: String) throws(ContractViolation) -> ParameterDescription {
        var parameter = ParameterDescription(name: name, kind: .string)
        var hasType = false
        try object { reader, name throws(ContractViolation) in
            switch ParameterField(rawValue: name) {
            case .type:
                parameter.kind = try reader.parameterKind()
                hasType = true
            case .values: parameter.values = try reader.strings()
            case .min: parameter.minimum = try reader.number()
            case .max: parameter.maximum = try reader.number()
            case .join: parameter.separator = try reader.optionalString()
            case .help: parameter.help = try reader.optionalString()
            case .default: parameter.default = try reader.typedText()
            case .filter: parameter.condition = try reader.choice(ParameterDescription.Condition.self)
            case .filterValues:
                try reader.object { reader, name throws(ContractViolation) in
                    parameter.conditionValues.append(NamedValue(name, try reader.typedText() ?? ""))
                }
            case nil:
                throw reader.unknown(
                    name, in: ParameterField.self,
                    "type, values, min, max, join, default, filter, filterValues and help")
            }
        }
        guard hasType else { throw missing("type", "one of choice, list, string, integer, number, boolean") }
        if parameter.kind == .choice, parameter.values.isEmpty { throw missing("values", "a list of choices") }
        if parameter.separator != nil, parameter.kind != .list {
            throw violation("join: expected it with type: 'list' only, found it with \(parameter.kind.rawValue.quoted)")
        }
        try checkConditionValues(of: parameter)
        if let standard = parameter.default {
            do throws(InvalidParameter) { _ = try parameter.value(from: standard) } catch {
                throw violation("default: \(error)")
            }
        }
        return parameter
    }

    /// The values for a condition are such as users could type.
    private func checkConditionValues(of parameter: ParameterDescription) throws(ContractViolation) {
        guard !parameter.conditionValues.isEmpty else { return }
        if parameter.condition == nil { throw violation("filterValues: expected it with filter only") }
        for pair in parameter.conditionValues {
            do throws(InvalidParameter) { _ = try parameter.value(from: pair.value) } catch {
                throw violation("filterValues.\(pair.name): \(error)")
            }
        }
    }

    private mutating func parameterKind() throws(ContractViolation) -> ParameterDescription.Kind {
        try choice(ParameterDescription.Kind.self)
    }

    /// A default as a user would type it.
    private mutating func typedText() throws(ContractViolation) -> String? {
        if try takeAbsent("a value") { return nil }
        switch peek() {
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return try boolean() ? "true" : "false"
        case UInt8(ascii: "["): return try strings().joined(separator: ",")
        default: return try number().shortest
        }
    }
}

extension ContractReader {
    mutating func limits() throws(ContractViolation) -> Limits {
        var limits = Limits()
        try object { reader, name throws(ContractViolation) in
            switch LimitsField(rawValue: name) {
            case .pageSize: limits.pageSize = try reader.pageSize()
            case .reachable: limits.reachable = try reader.optionalInteger(in: 1...(1 << 40), "a whole number above 0")
            case .text:
                try reader.object { reader, name throws(ContractViolation) in
                    let count = try reader.integer(in: 0...100_000, "a number of characters")
                    switch TextLengthField(rawValue: name) {
                    case .min: limits.textMinimum = count
                    case .max: limits.textMaximum = count
                    case nil: throw reader.unknown(name, in: TextLengthField.self, "min or max")
                    }
                }
            case .rate:
                try reader.array("an array of rates") { reader throws(ContractViolation) in
                    let text = try reader.string("a rate such as 100/60s")
                    guard let rate = Limits.Rate(text) else {
                        throw reader.violation("expected a rate such as 100/60s, found \(text.quoted)")
                    }
                    limits.rates.append(rate)
                }
            case .concurrent:
                limits.concurrent = try reader.optionalInteger(in: 1...1_000, "a number of requests")
            case .reset:
                try reader.object { reader, name throws(ContractViolation) in
                    switch ResetField(rawValue: name) {
                    case .header: limits.resetHeader = try reader.string().lowercased()
                    case .unit: limits.resetUnit = try reader.choice(Limits.ResetUnit.self)
                    case nil: throw reader.unknown(name, in: ResetField.self, "header and unit")
                    }
                }
            case nil:
                throw reader.unknown(
                    name, in: LimitsField.self, "pageSize, reachable, text, rate, concurrent or reset")
            }
        }
        return limits
    }

    private mutating func pageSize() throws(ContractViolation) -> Limits.PageSize {
        var (minimum, maximum, standard): (Int, Int?, Int?) = (1, nil, nil)
        try object { reader, name throws(ContractViolation) in
            let count = try reader.integer(in: 1...100_000, "a whole number above 0")
            switch PageSizeField(rawValue: name) {
            case .min: minimum = count
            case .max: maximum = count
            case .default: standard = count
            case nil: throw reader.unknown(name, in: PageSizeField.self, "min, max and default")
            }
        }
        guard let maximum else { throw missing("max", "a whole number above 0") }
        guard minimum <= maximum else { throw violation("expected min up to \(maximum), found \(minimum)") }
        let size = Limits.PageSize(minimum: minimum, maximum: maximum, default: standard ?? min(20, maximum))
        guard size.clamp(size.default) == size.default else {
            throw violation("expected a default from \(minimum) to \(maximum), found \(size.default)")
        }
        return size
    }

    mutating func terms() throws(ContractViolation) -> Terms {
        var terms = Terms()
        try object { reader, name throws(ContractViolation) in
            switch TermsField(rawValue: name) {
            case .url: terms.url = try reader.optionalURL()
            case .license: terms.license = try reader.optionalString()
            case .cacheAtLeast: terms.cacheAtLeast = try reader.seconds()
            case .cacheAtMost: terms.cacheAtMost = try reader.seconds()
            case .hotlink: terms.allowsHotlinking = try reader.boolean()
            case .attribution: terms.attribution = try reader.optionalString()
            case .notice: terms.notice = try reader.nonEmptyString("a sentence")
            case nil:
                throw reader.unknown(
                    name, in: TermsField.self,
                    "url, license, cacheAtLeast, cacheAtMost, hotlink, attribution or notice")
            }
        }
        if let least = terms.cacheAtLeast, let most = terms.cacheAtMost, least > most {
            throw violation("expected cacheAtMost to be no shorter than cacheAtLeast")
        }
        return terms
    }

    private mutating func seconds() throws(ContractViolation) -> Int {
        let text = try string("a duration such as 24h")
        guard let rate = Limits.Rate("1/\(text)") else {
            throw violation("expected a duration such as 24h, found \(text.quoted)")
        }
        return rate.seconds
    }
}
