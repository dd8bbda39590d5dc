/// What is asked of `search`, `feed` and `collection`: the `q` of a script.
public struct ProviderQuery: Hashable, Sendable {
    /// A point to search around.
    public struct Point: Hashable, Sendable {
        /// Degrees north.
        public var latitude: Double
        /// Degrees east.
        public var longitude: Double

        /// A point; nil outside -90…90, -180…180.
        public init?(latitude: Double, longitude: Double) {
            guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// The words searched for; empty in a feed.
    public var text = ""
    /// The page wanted, 1-based; a provider with `paging: 'page0'` gets it 0-based.
    public var page = 1
    /// The index of the first item wanted, 0-based.
    public var offset = 0
    /// Items per page, already within the provider's limits.
    public var limit = 20
    /// What the last page gave as `next`.
    public var cursor: JSONText?
    /// The provider's own parameters, checked against its manifest.
    public var parameters: [Parameter] = []
    /// A point to search around.
    public var near: Point?
    /// The server chosen by the user, for software that runs on many.
    public var instance: WebURL?

    /// A query for `text`.
    public init(text: String = "") { self.text = text }

    /// A provider's own parameter and its value.
    public struct Parameter: Hashable, Sendable {
        /// The name in the manifest.
        public var name: String
        /// The value in the type the manifest gives it.
        public var value: ParameterValue

        /// A parameter.
        public init(_ name: String, _ value: ParameterValue) {
            self.name = name
            self.value = value
        }
    }
}

/// A parameter's value.
public enum ParameterValue: Hashable, Sendable {
    case text(String)
    case number(Double)
    case boolean(Bool)
    case list([String])
}
