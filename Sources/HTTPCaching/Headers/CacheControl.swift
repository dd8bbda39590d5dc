import HTTPTransport
import HTTPTypes

/// The directives of the `Cache-Control` lines of a message (RFC 9111 §5.2), unknown ones included.
struct CacheControl: Hashable, Sendable {
    /// One directive: its name in lower case, and what follows the `=`.
    struct Directive: Hashable, Sendable {
        let name: String
        let argument: Argument
    }

    /// What a directive says besides its name.
    enum Argument: Hashable, Sendable {
        case none
        /// A token, or the text inside the quotes: RFC 9111 §5.2 has recipients accept either form for every directive.
        case text(String)
        /// White space around the `=`, which the syntax does not have, or a quote that never ends.
        case malformed
    }

    /// All directives in the order they came.
    let directives: [Directive]

    /// Reads all lines of the name as one list (RFC 9110 §5.3).
    init(_ fields: HTTPFields) {
        directives = FieldList.members(of: fields[values: .cacheControl]).compactMap(Self.directive)
    }

    /// Whether a directive is there, with or without an argument.
    func has(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// The first directive of a name.
    ///
    /// RFC 9111 §4.2.1: of a directive that is repeated with different values, the first is used.
    func first(_ name: String) -> Directive? { directives.first { $0.name == name } }

    /// The field names a directive lists, in lower case; nil when it lists none and so means the whole response.
    func fieldNames(of name: String) -> [String]? {
        var names: [String] = []
        for directive in directives where directive.name == name {
            guard case .text(let text) = directive.argument else { return nil }
            names += FieldList.members(of: [text]).map { $0.lowercased() }
        }
        return names.isEmpty ? nil : names
    }

    private static func directive(_ member: String) -> Directive? {
        guard let equals = member.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            return Directive(name: member.lowercased(), argument: .none)
        }
        let name = String(member[..<equals])
        let value = String(member[member.utf8.index(after: equals)...])
        let plainName = name.trimmingWhitespace
        guard !plainName.isEmpty else { return nil }
        guard plainName == name, value.trimmingWhitespace == value else {
            return Directive(name: plainName.lowercased(), argument: .malformed)
        }
        return Directive(name: name.lowercased(), argument: argument(value))
    }

    private static func argument(_ value: String) -> Argument {
        guard value.hasPrefix("\"") else { return .text(value) }
        return FieldList.unquoted(value).map(Argument.text) ?? .malformed
    }
}

/// A number of seconds as header lines have it (RFC 9111 §1.2.2).
enum DeltaSeconds: Hashable, Sendable {
    /// The line or directive is not there.
    case absent
    /// It is there and says nothing that can be used.
    case invalid
    case seconds(Int)

    /// RFC 9111 §1.2.2: what does not fit counts as 2³¹ seconds, 68 years.
    static let most = 1 << 31

    /// Reads digits and nothing else: no sign, fraction, unit or white space.
    init(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            self = .invalid
            return
        }
        self = .seconds(min(Int(text) ?? Self.most, Self.most))
    }

    /// The argument of the first directive of a name.
    init(_ name: String, in control: CacheControl) {
        switch control.first(name)?.argument {
        case nil: self = .absent
        case .text(let text): self.init(text)
        case .some(.none), .malformed: self = .invalid
        }
    }

    /// The seconds; nil when there are none.
    var value: Int? {
        guard case .seconds(let seconds) = self else { return nil }
        return seconds
    }
}
