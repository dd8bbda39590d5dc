import ProviderModel

// How the values of the model cross. Items, files and pages cross as the JSON text of the contract, by their schema.

// MARK: Texts

extension WebURL: WireText {
    package static let wireName = "URL"
    package static func parsed(_ text: String) -> WebURL? { try? WebURL(text) }  // its text says what is wrong with it
}

extension HostPattern: WireText {
    package static let wireName = "host pattern"
    package static func parsed(_ text: String) -> HostPattern? { HostPattern(text) }
}

extension Limits.Rate: WireText {
    package static let wireName = "rate"
    package static func parsed(_ text: String) -> Limits.Rate? { Limits.Rate(text) }
}

extension ProviderID: WireText {
    package static let wireName = "provider id"
    package static func parsed(_ text: String) -> ProviderID? { ProviderID(text) }
}

extension JSONText: WireText {
    package static let wireName = "JSON"
    package static func parsed(_ text: String) -> JSONText? { JSONText(text) }
}

// MARK: Names

extension ProviderOperation: WireValue {}
extension Paging: WireValue {}
extension SourceCategory: WireValue {}
extension Item.Kind: WireValue {}
extension Limits.ResetUnit: WireValue {}
extension RequestSignature.Encoding: WireValue {}
extension RequestSignature.Hash: WireValue {}
extension ParameterDescription.Kind: WireValue {}
extension ParameterDescription.Condition: WireValue {}
extension ProviderError.Code: WireValue {}
extension ProviderRequest.Method: WireValue {}
extension ProviderRequest.Format: WireValue {}

// MARK: What is asked and found

extension Item: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        // What a user gave in place of what a script found may lack what scripts have to give.
        self = try reader.readJSON(rules: .types) { reader throws(ContractViolation) in try Item(&reader) }
    }

    package func write(to writer: inout ByteWriter) { writer.write(contractJSON.description) }
}

extension Media: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self = try reader.readJSON(rules: .types) { reader throws(ContractViolation) in try Media(&reader) }
    }

    package func write(to writer: inout ByteWriter) {
        var json = JSONWriter()
        write(to: &json)
        writer.write(json.bytes)
    }
}

extension ByteReader {
    fileprivate mutating func readJSON<Value>(
        rules: ContractReader.Rules, _ read: (inout ContractReader) throws(ContractViolation) -> Value
    ) throws(WireError) -> Value {
        let text = try readBytes()
        do throws(ContractViolation) { return try ContractReader.read(text, rules: rules, read) } catch {
            throw .malformed(error.text)
        }
    }
}

extension ProviderQuery: WireRecord {
    package static let blank = ProviderQuery()
    package static let wireFields: [WireField<Self>] = [
        .init(\.text), .init(\.page), .init(\.offset), .init(\.limit), .init(\.cursor), .init(\.parameters),
        .init(\.near), .init(\.image), .init(\.instance),
    ]
}

extension SearchImage: WireRecord {
    package static let blank = SearchImage(name: "", format: nil, content: [], digest: "")
    package static let wireFields: [WireField<Self>] = [
        .init(\.url), .init(\.name), .init(\.format), .init(\.byteCount), .init(\.digest),
    ]
}

extension SearchImage.Kind: WireValue {}

extension ProviderQuery.Point: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let (latitude, longitude) = (try reader.read(Double.self), try reader.read(Double.self))
        guard let point = Self(latitude: latitude, longitude: longitude) else {
            throw .malformed("a point with invalid coordinates")
        }
        self = point
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(latitude)
        writer.write(longitude)
    }
}

extension ProviderQuery.Parameter: WireRecord {
    package static let blank = Self("", .text(""))
    package static let wireFields: [WireField<Self>] = [.init(\.name), .init(\.value)]
}

extension ParameterValue: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.readByte() {
        case 0: self = .text(try reader.read())
        case 1: self = .number(try reader.read())
        case 2: self = .boolean(try reader.read())
        case 3: self = .list(try reader.read())
        case let kind: throw .malformed("parameter kind \(kind)")
        }
    }

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .text(let text): writer.write(0, text)
        case .number(let number): writer.write(1, number)
        case .boolean(let flag): writer.write(2, flag)
        case .list(let values): writer.write(3, values)
        }
    }
}

// MARK: Requests and responses

extension NamedValue: WireRecord {
    package static let blank = NamedValue("", "")
    package static let wireFields: [WireField<Self>] = [.init(\.name), .init(\.value)]
}

extension ProviderRequest: WireRecord {
    package static let blank = ProviderRequest(url: .unset)
    package static let wireFields: [WireField<Self>] = [
        .init(\.url), .init(\.method), .init(\.headers), .init(\.body), .init(\.upload), .init(\.format),
        .init(\.usesCredentials), .init(\.allowedStatus),
    ]
}

extension ProviderRequest.Body: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.readByte() {
        case 0: self = .json(try reader.read())
        case 1: self = .form(try reader.read())
        case 2: self = .text(try reader.read())
        case let kind: throw .malformed("body kind \(kind)")
        }
    }

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .json(let json): writer.write(0, json)
        case .form(let fields): writer.write(1, fields)
        case .text(let text): writer.write(2, text)
        }
    }
}

extension ProviderResponse: WireRecord {
    package static let blank = ProviderResponse(status: 0, url: .unset)
    package static let wireFields: [WireField<Self>] = [
        .init(\.status), .init(\.url), .init(\.headers), .init(bytes: \.body),
    ]
}

// MARK: Errors

extension ProviderError: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self = try reader.read(LoneError.self).error
        hint = code.limitHint
        others = try reader.read([LoneError].self).map(\.error)
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(LoneError(error: self))
        writer.write(others.map { LoneError(error: $0) })
    }
}

/// An error without others: no message leads to others of others without end.
///
/// Its hint follows from its code.
private struct LoneError: WireRecord {
    var error: ProviderError

    static let blank = LoneError(error: ProviderError(.worker, provider: "", message: ""))
    static let wireFields: [WireField<Self>] = [
        .init(\.error.code), .init(\.error.message), .init(\.error.operation), .init(\.error.phase),
        .init(\.error.location), .init(\.error.path),
    ]
}

extension SourceLocation: WireRecord {
    package static let blank = SourceLocation(file: "")
    package static let wireFields: [WireField<Self>] = [.init(\.file), .init(\.line), .init(\.column)]
}

// MARK: Manifests

extension ProviderManifest: WireRecord {
    package static let blank = ProviderManifest(id: .unset, name: "", version: "")
    package static let wireFields: [WireField<Self>] = [
        .init(\.id), .init(\.name), .init(\.version), .init(\.homepage), .init(\.summary), .init(\.bugs),
        .init(\.category), .init(\.isForAdults), .init(\.deprecated), .init(\.base),
        .init(\.instance), .init(\.hosts), .init(\.mediaHosts), .init(\.methods), .init(\.authentication),
        .init(\.limits),
        .init(\.terms), .init(\.paging), .init(\.operations), .init(\.matches),
    ]
}

extension Deprecation: WireRecord {
    package static let blank = Deprecation()
    package static let wireFields: [WireField<Self>] = [.init(\.date), .init(\.ends), .init(\.note)]
}

extension Instance: WireRecord {
    package static let blank = Instance()
    package static let wireFields: [WireField<Self>] = [.init(\.default), .init(\.help)]
}

extension PageMatch: WireRecord {
    package static let blank = PageMatch(pattern: "", id: "", type: .image)
    package static let wireFields: [WireField<Self>] = [.init(\.pattern), .init(\.id), .init(\.type)]
}

extension OperationDescription: WireRecord {
    package static let blank = OperationDescription(operation: .search, location: .blank, isGenerator: false)
    package static let wireFields: [WireField<Self>] = [
        .init(\.operation), .init(\.parameters), .init(\.takesPoint), .init(\.addsMedia), .init(\.imageKinds),
        .init(\.isNewestFirst), .init(\.newestFirstParameters),
        .init(\.location), .init(\.requestLocation), .init(\.isGenerator),
    ]
}

extension ParameterDescription: WireRecord {
    package static let blank = ParameterDescription(name: "", kind: .string)
    package static let wireFields: [WireField<Self>] = [
        .init(\.name), .init(\.kind), .init(\.values), .init(\.minimum), .init(\.maximum), .init(\.default),
        .init(\.separator), .init(\.help), .init(\.condition), .init(\.conditionValues),
    ]
}

extension AuthenticationMethod: WireRecord {
    package static let blank = AuthenticationMethod(placement: .query([]))
    package static let wireFields: [WireField<Self>] = [
        .init(\.placement), .init(\.headers), .init(\.body), .init(\.isOptional), .init(\.help), .init(\.limits),
    ]
}

extension AuthenticationMethod.Placement: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.readByte() {
        case 0: self = .query(try reader.read())
        case 1: self = .header(try reader.read())
        case 2: self = .cookie(try reader.read())
        case 3:
            let user: String = try reader.read()
            self = .basic(user: user, password: try reader.read())
        case 4: self = .oauth2(try reader.read())
        case 5: self = .cookies(needs: try reader.read())
        case 6: self = .oauth1(try reader.read())
        case 7: self = .hmac(try reader.read())
        case 8: self = .session
        case let kind: throw .malformed("authentication kind \(kind)")
        }
    }

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .query(let pairs): writer.write(0, pairs)
        case .header(let pairs): writer.write(1, pairs)
        case .cookie(let pairs): writer.write(2, pairs)
        case .basic(let user, let password): writer.write(3, user, password)
        case .oauth2(let endpoints): writer.write(4, endpoints)
        case .cookies(let needs): writer.write(5, needs)
        case .oauth1(let endpoints): writer.write(6, endpoints)
        case .hmac(let signature): writer.write(7, signature)
        case .session: writer.write(byte: 8)
        }
    }
}

extension OAuth2Endpoints: WireRecord {
    package static let blank = OAuth2Endpoints(token: .unset)
    package static let wireFields: [WireField<Self>] = [
        .init(\.token), .init(\.scope), .init(\.authorize), .init(\.device),
    ]
}

extension OAuth1Endpoints: WireRecord {
    package static let blank = OAuth1Endpoints()
    package static let wireFields: [WireField<Self>] = [.init(\.request), .init(\.authorize), .init(\.token)]
}

extension RequestSignature: WireRecord {
    package static let blank = RequestSignature(key: "", text: "")
    package static let wireFields: [WireField<Self>] = [
        .init(\.hash), .init(\.key), .init(\.text), .init(\.encoding), .init(\.query),
    ]
}

extension Limits: WireRecord {
    package static let blank = Limits()
    package static let wireFields: [WireField<Self>] = [
        .init(\.pageSize), .init(\.reachable), .init(\.textMinimum), .init(\.textMaximum), .init(\.rates),
        .init(\.concurrent), .init(\.resetHeader), .init(\.resetUnit),
    ]
}

extension Limits.PageSize: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let (minimum, maximum) = (try reader.read(Int.self), try reader.read(Int.self))
        guard 1 <= minimum, minimum <= maximum else { throw .malformed("page sizes from \(minimum) to \(maximum)") }
        self.init(minimum: minimum, maximum: maximum, default: try reader.read())
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(minimum)
        writer.write(maximum)
        writer.write(`default`)
    }
}

extension Terms: WireRecord {
    package static let blank = Terms()
    package static let wireFields: [WireField<Self>] = [
        .init(\.url), .init(\.cacheAtLeast), .init(\.cacheAtMost), .init(\.allowsHotlinking), .init(\.attribution),
        .init(\.notice), .init(\.license),
    ]
}

extension ByteWriter {
    /// Writes a case by its number, with its values.
    mutating func write<each Value: WireValue>(_ number: UInt8, _ values: repeat each Value) {
        write(byte: number)
        repeat write(each values)
    }
}
