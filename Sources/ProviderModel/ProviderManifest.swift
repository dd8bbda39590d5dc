/// The manifest of a provider.
public struct ProviderManifest: Hashable, Sendable {
    /// The version of the provider contract.
    public static let contract = 1

    /// The id.
    public var id: ProviderID
    /// The display name.
    public var name: String
    /// The version of the file (Semantic Versioning).
    public var version: String
    /// The source's home page.
    public var homepage: WebURL?
    /// One sentence about the source.
    public var summary: String?
    /// The kind of the source, by which lists group it; nil where it does not say.
    public var category: SourceCategory?
    /// Whether most of its images are for adults, so that lists leave it out until it is asked for.
    public var isForAdults = false
    /// The page where faults of the provider are reported; nil where it names none.
    public var bugs: WebURL?
    /// Why it should not be used any longer; nil for most.
    public var deprecated: Deprecation?
    /// The base of relative request URLs.
    public var base: WebURL?
    /// The servers to choose from, for software that runs on many; nil for a single service.
    public var instance: Instance?
    /// The hosts that requests, and credentials, may be sent to.
    public var hosts: [HostPattern]
    /// The hosts that image files may come from.
    public var mediaHosts: [HostPattern]
    /// The methods of requests with the user's key, besides GET and HEAD; nil where the file does not declare them.
    public var methods: [ProviderRequest.Method]?
    /// The authentication methods in order of preference; empty for a source without keys.
    public var authentication: [AuthenticationMethod]
    /// Page sizes, depth and rates.
    public var limits: Limits
    /// The source's terms of use.
    public var terms: Terms
    /// How pages are addressed.
    public var paging: Paging
    /// The provider's operations, with their positions in the file.
    public var operations: [OperationDescription]
    /// The page URLs that the provider resolves to items.
    public var matches: [PageMatch]

    /// Looks up an operation.
    ///
    /// - Parameter operation: one of the operations of the contract.
    /// - Returns: its description; nil when the provider does not have it.
    public func description(of operation: ProviderOperation) -> OperationDescription? {
        operations.first { $0.operation == operation }
    }

    /// Whether every operation requires a key.
    public var needsKey: Bool {
        !authentication.isEmpty && !authentication.contains { $0.isOptional || $0.secretNames.isEmpty }
    }

    /// The first method whose secrets a user can type; nil where there is none.
    public var keyMethod: AuthenticationMethod? {
        authentication.first { !$0.secretNames.isEmpty && $0.neededCookies == nil && !$0.hasLogin }
    }

    /// Creates a manifest without hosts and operations.
    package init(id: ProviderID, name: String, version: String) {
        self.id = id
        self.name = name
        self.version = version
        hosts = []
        mediaHosts = []
        authentication = []
        limits = Limits()
        terms = Terms()
        paging = .page
        operations = []
        matches = []
    }
}

/// The kind of a source.
public enum SourceCategory: String, Sendable, CaseIterable {
    /// Museums, libraries and archives.
    case museums
    /// Photographs that people share.
    case photographs
    /// The sciences, and space.
    case science
    /// Communities of artists.
    case art
    /// Stock photographs and material for designs.
    case stock
    /// Boards of illustrations, by tags.
    case boards
    /// Covers, frames and pictures of works: films, music, books.
    case media
    /// Social networks, and searches of the whole web.
    case web
}

/// A note that a provider should not be used any longer.
public struct Deprecation: Hashable, Sendable, CustomStringConvertible {
    /// The day from which it holds: `2026-05-01`.
    public var date: String
    /// The day on which the source ends: `2027-01-01`; nil where it is not known, or past.
    public var ends: String?
    /// The reason, and what to use instead.
    public var note: String

    /// Creates a note.
    package init(date: String = "", ends: String? = nil, note: String = "") {
        self.date = date
        self.ends = ends
        self.note = note
    }

    /// `deprecated since 2026-05-01, ends on 2027-01-01: …`.
    public var description: String { "deprecated since \(day): \(note)" }

    /// `2026-05-01, ends on 2027-01-01`.
    package var day: String { ends.map { "\(date), ends on \($0)" } ?? date }
}

/// How the pages of a listing are addressed.
public enum Paging: String, Sendable, CaseIterable {
    /// By numbers from 1.
    case page
    /// By numbers from 0.
    case page0
    /// By the index of the first item.
    case offset
    /// By a value from the previous page.
    case cursor
    /// The listing has one page.
    case none
}

/// An operation of a provider.
public struct OperationDescription: Hashable, Sendable {
    /// The operation.
    public var operation: ProviderOperation
    /// Its parameters.
    public var parameters: [ParameterDescription]
    /// Whether it can search around a point.
    public var takesPoint: Bool
    /// Whether it gives files that lists lack: an operation `details` with `media: true`.
    public var addsMedia = false
    /// Whether it lists items by their dates of creation, the newest first.
    public var isNewestFirst = false
    /// The values of parameters, one of each, with which it does, an empty one for a parameter that is not given; none for all.
    public var newestFirstParameters: [NamedValue] = []
    /// What an operation `similar` takes.
    public var imageKinds: [SearchImage.Kind] = []
    /// Its position in the file, if known: that of `parse`, or of the generator.
    public var location: SourceLocation
    /// The position of `request`, for an operation that has both.
    public var requestLocation: SourceLocation?
    /// Whether it is a generator function, and not a pair of `request` and `parse`.
    public var isGenerator: Bool

    package init(
        operation: ProviderOperation, parameters: [ParameterDescription] = [], takesPoint: Bool = false,
        location: SourceLocation, requestLocation: SourceLocation? = nil, isGenerator: Bool
    ) {
        self.operation = operation
        self.parameters = parameters
        self.takesPoint = takesPoint
        self.location = location
        self.requestLocation = requestLocation
        self.isGenerator = isGenerator
    }
}

extension OperationDescription {
    /// Whether items come by their dates of creation, the newest first.
    ///
    /// - Parameter parameters: those of the query.
    /// - Returns: whether the manifest says so of a listing with these parameters.
    public func listsNewestFirst(with parameters: [ProviderQuery.Parameter]) -> Bool {
        guard isNewestFirst else { return false }
        return newestFirstParameters.allSatisfy { wanted in
            newestFirstParameters.contains { other in
                guard other.name == wanted.name else { return false }
                return other.value.isEmpty
                    ? !parameters.contains { $0.name == other.name }
                    : parameters.contains(.init(other.name, .text(other.value)))
            }
        }
    }
}

/// The servers of software that runs on many.
public struct Instance: Hashable, Sendable {
    /// The server that is used when the user names none.
    public var `default`: WebURL?
    /// A sentence about the choice, for the help text.
    public var help: String?

    /// Creates the servers of a provider.
    package init(default: WebURL? = nil, help: String? = nil) {
        self.default = `default`
        self.help = help
    }
}

/// A pattern of page URLs; `{id}` stands for one path segment or query value.
public struct PageMatch: Hashable, Sendable {
    /// The pattern: `https://pixabay.com/photos/{slug}-{id}/`.
    public var pattern: String
    /// The template of the item's id over the pattern's names.
    public var id: String
    /// Whether the page shows an image or a collection.
    public var type: Item.Kind

    /// Creates a pattern.
    package init(pattern: String, id: String, type: Item.Kind) {
        self.pattern = pattern
        self.id = id
        self.type = type
    }
}
