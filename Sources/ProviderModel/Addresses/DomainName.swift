/// Host names in any script, in the ASCII form that is looked up and sent (UTS 46, as the URL Standard applies it:
/// without transitional processing, and without a limit on lengths).
///
/// libidn2, in every Debian, does IDNA 2008, which has no symbols, nor hyphens where browsers take them: it agrees in 47
/// of 87 of the standard's tests.
enum DomainName {
    /// Returns a name in ASCII and lower case; nil for one that browsers refuse.
    static func ascii(_ text: String) -> String? {
        // Encoded labels of a name in ASCII are taken as they are.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        guard let mapped = CodePointTables.shared.mapped(text) else { return nil }
        let labels = mapped.normalised.unicodeScalars
            .split(separator: ".", omittingEmptySubsequences: false).map { Array($0) }
        var names: [[Unicode.Scalar]] = []
        for label in labels {
            guard let name = Self.name(of: label) else { return nil }
            names.append(name)
        }
        guard isDirectionClear(names) else { return nil }
        return names.map { name in
            name.allSatisfy(\.isASCII) ? String(String.UnicodeScalarView(name)) : prefix + Punycode.encode(name)
        }.joined(separator: ".")
    }

    private static let prefix = "xn--"

    /// The characters of a label, decoded; nil for one that is not valid (UTS 46 §4, step 4).
    private static func name(of label: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        guard label.starts(with: prefix.unicodeScalars) else { return isValid(label) ? label : nil }
        let encoded = label.dropFirst(prefix.unicodeScalars.count)
        guard encoded.allSatisfy(\.isASCII), let name = Punycode.decode(encoded.map { UInt8($0.value) }[...]),
            !name.allSatisfy(\.isASCII), isValid(name), !name.starts(with: prefix.unicodeScalars)
        else { return nil }
        return name
    }

    /// UTS 46 §4.1, without the check of hyphens.
    private static func isValid(_ label: [Unicode.Scalar]) -> Bool {
        guard let first = label.first else { return true }
        let text = String(String.UnicodeScalarView(label))
        return !first.isMark && label.elementsEqual(text.normalised.unicodeScalars)
            && label.allSatisfy { $0 != "." && CodePointTables.shared.isValid($0) }
            && label.indices.allSatisfy { !label[$0].isJoiner || isJoinerValid(at: $0, in: label) }
    }

    /// RFC 5892, appendices A.1 and A.2.
    private static func isJoinerValid(at place: Int, in label: [Unicode.Scalar]) -> Bool {
        guard place > 0 else { return false }
        let isAfterVirama = label[place - 1].properties.canonicalCombiningClass.rawValue == 9
        if isAfterVirama || label[place] == "\u{200d}" { return isAfterVirama }
        let tables = CodePointTables.shared
        let before = label[..<place].last { !$0.isTransparent }
        let after = label[(place + 1)...].first { !$0.isTransparent }
        guard let before, let after else { return false }
        return tables.joinsFollowing(before) && tables.joinsPreceding(after)
    }

    // MARK: Direction

    /// The rule for names with a label that is written from right to left (RFC 5893 §2).
    private static func isDirectionClear(_ names: [[Unicode.Scalar]]) -> Bool {
        let kinds = names.map { $0.map { CodePointTables.shared.direction(of: $0) } }
        guard kinds.contains(where: { $0.contains(.rightToLeft) || $0.contains(.arabicNumber) }) else { return true }
        return kinds.allSatisfy { isDirectionClear($0) }
    }

    private static func isDirectionClear(_ kinds: [CodePointTables.Direction]) -> Bool {
        guard let first = kinds.first, let last = kinds.last(where: { $0 != .mark }) else { return kinds.isEmpty }
        switch first {
        case .rightToLeft:
            return !kinds.contains(.leftToRight) && last != .none
                && !(kinds.contains(.number) && kinds.contains(.arabicNumber))
        case .leftToRight:
            return !kinds.contains(.rightToLeft) && !kinds.contains(.arabicNumber) && last != .none
        default: return false
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isMark: Bool {
        [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
    }

    fileprivate var isJoiner: Bool { self == "\u{200c}" || self == "\u{200d}" }

    /// The joining type T (Unicode, ArabicShaping.txt).
    fileprivate var isTransparent: Bool {
        !isJoiner && [.nonspacingMark, .enclosingMark, .format].contains(properties.generalCategory)
    }
}
