import ProviderModel
import WorkerProtocol

/// The fields of one shape of the contract.
///
/// The readers go by these, and `imgscript.d.ts` is held against them.
protocol ContractField: RawRepresentable<String>, CaseIterable, Hashable {
    /// The interface of `imgscript.d.ts`, with the field that has it where it has no name: `Limits.pageSize`.
    static var interface: String { get }
}

/// The fields of a shape that a page has many of.
protocol TabledField: ContractField, Sendable {
    /// The fields by name.
    static var names: NameTable<Self> { get }
}

extension ContractReader {
    /// The violation of a member that the contract does not have here, with the one that was most likely meant.
    func unknown<Field: ContractField>(_ name: String, in: Field.Type, _ expectation: String) -> ContractViolation {
        violation("expected \(expectation), found \(name.quoted)\(Field.suggestion(for: name))")
    }
}

extension ContractField {
    /// `; did you mean limits?` where a field is that near; nothing otherwise.
    static func suggestion(for name: String, besides others: [String] = []) -> String {
        let known = allCases.map(\.rawValue) + others
        let nearest = known.min { $0.editDistance(to: name) < $1.editDistance(to: name) } ?? ""
        // Of a short name almost anything is two letters away.
        let limit = min(2, max(1, name.count / 2))
        return nearest.editDistance(to: name) <= limit ? "; did you mean \(nearest)?" : ""
    }
}

/// What `module.exports` has beside its operations.
enum ProviderField: String, ContractField {
    case contract, id, name, version, homepage, summary, base, instance, hosts, mediaHosts, auth, limits, terms, paging,
        check, match
    static let interface = "Provider"
}

enum InstanceField: String, ContractField {
    case `default`, help
    static let interface = "Provider.instance"
}

enum AuthField: String, ContractField {
    case type, name, template, fields, user, password, token, scope, optional, help, limits
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

/// What an operation says beside its functions.
enum OperationField: String, ContractField {
    case params, near
    static let interface = "OperationOptions"
}

enum ParameterField: String, ContractField {
    case type, values, min, max, join, help, `default`
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
    case url, method, query, headers, json, form, body, accept, auth, allowStatus
    static let interface = "Request"
}

enum PageField: String, ContractField {
    case items, total, next
    static let interface = "Page"
}

enum ItemField: String, TabledField {
    case id, type, title, description, page, tags, author, license, created, location, camera, colors, stats, media,
        rating, extra
    static let interface = "Item"
    static let names = NameTable<Self>()
}

enum AuthorField: String, TabledField {
    case name, id, url
    static let interface = "Author"
    static let names = NameTable<Self>()
}

enum LicenseField: String, TabledField {
    case id, name, url
    static let interface = "License"
    static let names = NameTable<Self>()
}

enum LocationField: String, TabledField {
    case name, city, country, latitude, longitude
    static let interface = "Location"
    static let names = NameTable<Self>()
}

enum CameraField: String, TabledField {
    case make, model, lens, exposure, aperture, focalLength, iso
    static let interface = "Camera"
    static let names = NameTable<Self>()
}

enum MediaField: String, TabledField {
    case role, url, width, height, bytes, format, expires, watermarked, headers
    static let interface = "Media"
    static let names = NameTable<Self>()
}

enum DownloadField: String, ContractField {
    case url, headers
    static let interface = "Download"
}

enum SessionField: String, ContractField {
    case values, expiresIn
    static let interface = "SessionValues"
}

/// Every shape that a script gives to the host.
enum ContractShapes {
    static var all: [any ContractField.Type] {
        [
            ProviderField.self, InstanceField.self, AuthField.self, LimitsField.self, PageSizeField.self,
            TextLengthField.self, ResetField.self, TermsField.self, OperationField.self, ParameterField.self,
            MatchField.self, MatchItemField.self, RequestField.self, PageField.self, ItemField.self, AuthorField.self,
            LicenseField.self, LocationField.self, CameraField.self, MediaField.self, DownloadField.self,
            SessionField.self,
        ]
    }
}
