import HTTPTypes

/// What becomes of a body that a server packed for the way, by what its request said about packing.
enum Unpacking {
    /// Nothing was said, so that what can be unpacked here was asked for: unpacked.
    case asked
    /// `identity`: what is packed all the same is unpacked, unless it turns out to be so in name only.
    case unasked
    /// The caller named its codings: its bytes are given as they are.
    case never

    init(_ headers: HTTPFields) {
        switch headers.value(of: .acceptEncoding) {
        case nil: self = .asked
        case "identity": self = .unasked
        default: self = .never
        }
    }

    /// The coding of an answer's body; nil where its bytes go on as they came.
    func coding(named values: [String], status: Int) throws(UnknownCoding) -> ContentCoding? {
        switch self {
        case .asked: return try ContentCoding.named(by: values).get()
        case .unasked:
            // A part of a packed body is nothing to begin with.
            guard status != 206, case .success(let coding) = ContentCoding.named(by: values) else { return nil }
            return coding
        case .never: return nil
        }
    }
}
