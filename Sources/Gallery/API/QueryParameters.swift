import Hummingbird
import ProviderModel

/// The parameters in a request's address, decoded as a form: `+` is a space.
struct QueryParameters {
    private let pairs: [(name: String, value: String)]

    init(_ request: Request) throws(APIError) {
        var pairs: [(String, String)] = []
        for part in (request.uri.query ?? "").split(separator: "&") {
            let equals = part.firstIndex(of: "=") ?? part.endIndex
            let name = PercentEncoding.decode(part[..<equals])
            let value = equals < part.endIndex ? PercentEncoding.decode(part[part.index(after: equals)...]) : ""
            guard !value.utf8.contains(0), !name.utf8.contains(0) else {
                throw .invalid("\(name.quoted) has a null byte (expected text)")
            }
            pairs.append((name, value))
        }
        self.pairs = pairs
    }

    /// The names that were given.
    var names: [String] { pairs.map(\.name) }

    /// All values of a name.
    func values(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// The value of a name that may be given once; nil where it is not.
    func value(_ name: String) throws(APIError) -> String? {
        let values = values(name)
        guard values.count <= 1 else { throw .invalid("\(name) is given \(values.count) times (expected once)") }
        return values.first
    }

    /// The number of a name within a range.
    func number(_ name: String, within range: ClosedRange<Int>) throws(APIError) -> Int? {
        guard let text = try value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .invalid(
                "\(name) is \(text.quoted) (expected a whole number from \(range.lowerBound) to \(range.upperBound))")
        }
        return number
    }

    /// Throws where a name is none of these, nor begins as one of them that ends with a dot.
    func check(_ known: [String]) throws(APIError) {
        for name in names {
            guard !known.contains(where: { $0.hasSuffix(".") ? name.hasPrefix($0) && name != $0 : name == $0 }) else {
                continue
            }
            throw .invalid("unknown parameter \(name.quoted) (expected \(known.joined(separator: ", ")))")
        }
    }
}
