/// The query of `search`, `feed` and `collection`: the argument `q` of a script.
public struct ProviderQuery: Hashable, Sendable {
    /// A point to search around.
    public struct Point: Hashable, Sendable {
        /// Degrees north.
        public var latitude: Double
        /// Degrees east.
        public var longitude: Double

        /// Creates a point; nil when a coordinate is out of range.
        ///
        /// - Parameters:
        ///   - latitude: degrees north, -90 to 90.
        ///   - longitude: degrees east, -180 to 180.
        public init?(latitude: Double, longitude: Double) {
            guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// The search text; empty for a feed or a collection.
    public var text = ""
    /// The page number, from 1; with `paging: 'page0'` the script gets it from 0.
    public var page = 1
    /// The index of the first item, from 0.
    public var offset = 0
    /// The number of items per page, within the provider's bounds.
    public var limit = 20
    /// The `next` of the previous page.
    public var cursor: JSONText?
    /// The provider's own parameters, validated against its manifest.
    public var parameters: [Parameter] = []
    /// The point to search around.
    public var near: Point?
    /// The image to compare with, for `similar`.
    public var image: SearchImage?
    /// The server that the user chose, for software that runs on many.
    public var instance: WebURL?

    /// Creates a query for the first page of 20 items.
    ///
    /// - Parameter text: the search text; empty for a feed or a collection.
    public init(text: String = "") { self.text = text }

    /// A provider's own parameter and its value.
    public struct Parameter: Hashable, Sendable {
        /// The name in the manifest.
        public var name: String
        /// The value, of the type in the manifest.
        public var value: ParameterValue

        /// Creates a parameter.
        ///
        /// - Parameters:
        ///   - name: the parameter's name in the manifest.
        ///   - value: a value of the kind that the manifest declares.
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
