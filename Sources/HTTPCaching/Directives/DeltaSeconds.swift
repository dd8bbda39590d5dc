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
