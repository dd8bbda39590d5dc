/// Who made an item.
public struct Author: Hashable, Sendable {
    /// The name to credit.
    public var name: String
    /// The source's id for the person.
    public var id: String?
    /// The person's page.
    public var url: WebURL?

    /// An author.
    public init(name: String, id: String? = nil, url: WebURL? = nil) {
        self.name = name
        self.id = id
        self.url = url
    }
}

/// What may be done with an item.
public struct License: Hashable, Sendable {
    /// A short stable id, SPDX-like where one exists: `cc-by-4.0`, `cc0-1.0`, `unsplash`.
    public var id: String
    /// The licence's name.
    public var name: String?
    /// Its text.
    public var url: WebURL?

    /// A licence.
    public init(id: String, name: String? = nil, url: WebURL? = nil) {
        self.id = id
        self.name = name
        self.url = url
    }
}

/// Where an item was made.
public struct Location: Hashable, Sendable {
    /// The place as people say it.
    public var name: String?
    /// The town.
    public var city: String?
    /// The country.
    public var country: String?
    /// Degrees north, -90 to 90.
    public var latitude: Double?
    /// Degrees east, -180 to 180.
    public var longitude: Double?

    /// An unknown place.
    public init() {}
}

/// What an item was made with.
public struct Camera: Hashable, Sendable {
    /// The maker.
    public var make: String?
    /// The model.
    public var model: String?
    /// The lens.
    public var lens: String?
    /// Exposure time in seconds as written: `1/250`.
    public var exposure: String?
    /// The f-number as written: `4.5`.
    public var aperture: String?
    /// Focal length in millimetres as written.
    public var focalLength: String?
    /// The ISO speed.
    public var iso: Int?

    /// An unknown camera.
    public init() {}
}
