import ProviderModel

/// The fields of one shape of the contract.
///
/// The readers use them, and a test compares them with `imgscript.d.ts`.
protocol ContractField: RawRepresentable<String>, CaseIterable, Hashable {
    /// The interface of `imgscript.d.ts`, with the field that has it where it has no name: `Limits.pageSize`.
    static var interface: String { get }
}

extension ContractField {
    /// The fields' names.
    static var names: [String] { allCases.map(\.rawValue) }
}

extension ContractReader {
    /// The violation of a member that the contract does not have here, with the one that was most likely meant.
    func unknown<Field: ContractField>(_ name: String, in: Field.Type, _ expectation: String) -> ContractViolation {
        unknown(name, among: Field.names, expectation)
    }
}

/// The members of `module.exports` besides its operations.
enum ProviderField: String, ContractField {
    case contract, id, name, version, homepage, summary, category, adult, bugs, deprecated, base, instance, hosts,
        mediaHosts, methods, auth, limits, terms, paging, check, match
    static let interface = "Provider"
}

enum DeprecationField: String, ContractField {
    case date, ends, note
    static let interface = "Provider.deprecated"
}

enum InstanceField: String, ContractField {
    case `default`, help
    static let interface = "Provider.instance"
}

enum AuthField: String, ContractField {
    case type, name, template, fields, user, password, token, scope, authorize, device, request, needs, headers, body,
        hash, key, sign, encoding, query, optional, help, limits
    static let interface = "Auth"
}

enum LimitsField: String, ContractField {
    case pageSize, reachable, text, rate, concurrent, reset
    static let interface = "Limits"
}

enum PageSizeField: String, ContractField {
    case min, max, `default`
    static let interface = "Limits.pageSize"
}

enum TextLengthField: String, ContractField {
    case min, max
    static let interface = "Limits.text"
}

enum ResetField: String, ContractField {
    case header, unit
    static let interface = "Limits.reset"
}

enum TermsField: String, ContractField {
    case url, license, cacheAtLeast, cacheAtMost, hotlink, attribution, notice
    static let interface = "Terms"
}

/// The members of an operation besides its functions.
enum OperationField: String, ContractField {
    case params, near, media, image, newestFirst
    static let interface = "OperationOptions"
}

enum ParameterField: String, ContractField {
    case type, values, min, max, join, help, `default`, filter, filterValues
    static let interface = "Parameter"
}

enum MatchField: String, ContractField {
    case pattern, item
    static let interface = "Match"
}

enum MatchItemField: String, ContractField {
    case id, type
    static let interface = "Match.item"
}

enum RequestField: String, ContractField {
    case url, method, query, headers, json, form, body, upload, accept, auth, allowStatus
    static let interface = "Request"
}

enum DownloadField: String, ContractField {
    case url, headers
    static let interface = "Download"
}
