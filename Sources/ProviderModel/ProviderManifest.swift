/// What a provider file says about itself.
public struct ProviderManifest: Hashable, Sendable {
    /// The version of the contract the file is written for.
    public static let contract = 1

    /// The name that users type.
    public var id: ProviderID
    /// The display name.
    public var name: String
    /// The file's own version, semver.
    public var version: String
    /// The source's front page.
    public var homepage: WebURL?
    /// One sentence about what is to be found there.
    public var summary: String?
    /// What relative request URLs are resolved against.
    public var base: WebURL?
    /// The server used when the user chooses none, for software that runs on many; nil for a single service.
    public var instance: Instance?
    /// The only places requests, and credentials, may go.
    public var hosts: [HostPattern]
    /// The only places image bytes may come from.
    public var mediaHosts: [HostPattern]
    /// The methods of requests that carry the user's key, besides GET and HEAD; nil where the file does not say.
    public var methods: [ProviderRequest.Method]?
    /// Ways to authenticate, in order of preference; empty for a source that needs none.
    public var authentication: [AuthenticationMethod]
    /// Page sizes, depth and rate.
    public var limits: Limits
    /// What the source asks of its users.
    public var terms: Terms
    /// How pages follow one another.
    public var paging: Paging
    /// What the provider can do, and where that stands in the file.
    public var operations: [OperationDescription]
    /// Page URLs that the provider can turn into an item.
    public var matches: [PageMatch]

    /// The operation's description, or nil where the provider does not have it.
    public func description(of operation: Operation) -> OperationDescription? {
        operations.first { $0.operation == operation }
    }

    /// Whether nothing works without a key.
    public var needsKey: Bool {
        !authentication.isEmpty && !authentication.contains { $0.isOptional || $0.secretNames.isEmpty }
    }

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

/// How the pages of a listing follow one another.
public enum Paging: String, Sendable, CaseIterable {
    /// Numbered from 1.
    case page
    /// Numbered from 0.
    case page0
    /// By the index of the first item.
    case offset
    /// Each page says how to get the next.
    case cursor
    /// One page is all there is.
    case none
}

/// One thing a provider can do.
public struct OperationDescription: Hashable, Sendable {
    /// Which operation.
    public var operation: Operation
    /// Its own parameters.
    public var parameters: [ParameterDescription]
    /// Whether it lists what lies around a point.
    public var takesPoint: Bool
    /// Where it stands in the file, as far as that is known: `parse` of a pair, or the generator.
    public var location: SourceLocation
    /// Where `request` of a pair stands.
    public var requestLocation: SourceLocation?
    /// Whether it is a generator rather than a pair of `request` and `parse`.
    public var isGenerator: Bool

    package init(
        operation: Operation, parameters: [ParameterDescription] = [], takesPoint: Bool = false,
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

/// The servers of a software that runs on many.
public struct Instance: Hashable, Sendable {
    /// Used when the user names none.
    public var `default`: WebURL?
    /// What may be chosen, for the help text.
    public var help: String?

    package init(default: WebURL? = nil, help: String? = nil) {
        self.default = `default`
        self.help = help
    }
}

/// A pattern for page URLs; `{id}` stands for one path segment or query value.
public struct PageMatch: Hashable, Sendable {
    /// A URL with named parts: `https://pixabay.com/photos/{slug}-{id}/`.
    public var pattern: String
    /// What the page shows: its `id` is a template over the pattern's parts.
    public var id: String
    /// Whether that is an image or a collection.
    public var type: Item.Kind

    package init(pattern: String, id: String, type: Item.Kind) {
        self.pattern = pattern
        self.id = id
        self.type = type
    }
}
