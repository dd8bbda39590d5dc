@_spi(_Unicode) import Swift

extension StringProtocol {
    /// Where a text first stands in this one, byte by byte.
    ///
    /// The standard library's `contains`, `ranges` and `firstRange` of a text are part of its regular expressions. A
    /// program that calls one of them links all of those, with a thousand relocations at every start.
    package func place(of text: String) -> Range<Index>? { Substring(self).firstPlace(of: text) }

    /// Whether a text stands somewhere in this one.
    package func holds(_ text: String) -> Bool { place(of: text) != nil }

    /// This text with another in each place of a third.
    package func substituting(_ replacement: String, for text: String) -> String {
        guard !text.isEmpty else { return String(self) }
        var result = ""
        var rest = self[...]
        while let place = rest.place(of: text) {
            result += rest[..<place.lowerBound] + replacement
            rest = rest[place.upperBound...]
        }
        return result + rest
    }
}

extension Substring {
    // Not of any text, but of this one type: what is generic would be looked up byte by byte.
    fileprivate func firstPlace(of text: String) -> Range<Index>? {
        let sought = text.utf8
        var rest = utf8
        while let start = sought.isEmpty ? rest.indices.first : rest.firstIndex(of: sought[sought.startIndex]) {
            rest = rest[start...]
            if rest.starts(with: sought) { return start..<rest.index(start, offsetBy: sought.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension String {
    /// The text in quotes, cut to one readable line, for error messages.
    package var quoted: String {
        var shown = ""
        for scalar in unicodeScalars {
            guard shown.count < 80 else {
                shown += "…"
                break
            }
            shown.unicodeScalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return "\"\(shown)\""
    }
}

extension String {
    /// The text in Unicode normalisation form C: what looks the same is the same.
    package var normalised: String {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: _nfc)
        return String(scalars)
    }

    /// The text's letters without their accents, where they are Latin.
    package var withoutAccents: String {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
        var scalars = String.UnicodeScalarView()
        var isAfterLatin = false
        for scalar in _nfd {
            if scalar.properties.generalCategory == .nonspacingMark {
                if !isAfterLatin { scalars.append(scalar) }
            } else if let plain = Self.plainLetters[scalar] {
                scalars.append(contentsOf: plain.unicodeScalars)
                isAfterLatin = true
            } else {
                scalars.append(scalar)
                isAfterLatin = scalar.isASCII
            }
        }
        return String(scalars).normalised
    }

    private static let plainLetters: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ł": "l",
        "Ł": "L",
        "ı": "i", "þ": "th", "Þ": "Th", "ð": "d", "Ð": "D",
    ]
}

extension StringProtocol {
    /// The text without the characters at its end that are unwanted.
    package func droppingEnd(while isUnwanted: (Character) -> Bool) -> String {
        var rest = self[...]
        while let last = rest.last, isUnwanted(last) { rest = rest.dropLast() }
        return String(rest)
    }
}

extension Int {
    /// `1 page`, `2 pages`.
    package func counted(_ noun: String, plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
    }
}

extension String {
    /// How many letters have to change to turn one into the other (Levenshtein).
    package func editDistance(to other: String) -> Int {
        let (left, right) = (Array(lowercased()), Array(other.lowercased()))
        guard left.count < 64, right.count < 64 else { return .max }
        var row = Array(0...right.count)
        for (i, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, candidate) in right.enumerated() {
                let cost = Swift.min(row[j + 1] + 1, row[j] + 1, diagonal + (character == candidate ? 0 : 1))
                diagonal = row[j + 1]
                row[j + 1] = cost
            }
        }
        return row[right.count]
    }

    /// The candidate that this was most likely meant to be: at most two letters differ, and not most of a short word, or
    /// it is the only one that begins so.
    package func nearest(among candidates: [String]) -> String? {
        let distances = candidates.map { (candidate: $0, distance: editDistance(to: $0)) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        if best.distance <= 2, best.distance * 2 <= count { return best.candidate }
        let longer = candidates.filter { $0.hasPrefix(lowercased()) }
        return count >= 3 && longer.count == 1 ? longer[0] : nil
    }

    /// `; did you mean "loc"?` for a word near one of the candidates, else ` (expected …)` where that is known.
    package func suggestion(among candidates: [String], expected: String? = nil) -> String {
        nearest(among: candidates).map { "; did you mean \"\($0)\"?" } ?? expected.map { " (expected \($0))" } ?? ""
    }
}

extension String {
    /// Whether the text begins as the address of something on the web, in any capitals, as browsers take it: white space
    /// before it is dropped, and slashes may be missing or turned.
    package var isWebAddress: Bool {
        let address = utf8.drop { $0 <= 0x20 }
        guard let colon = address.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = address[..<colon]
        return ["http", "https"].contains { $0.utf8.elementsEqual(scheme.lazy.map { $0 | 0x20 }) }
    }

    /// The scheme of an address that is none of the web: `ftp` of `ftp://host/file`; nil for any other text.
    package var foreignScheme: String? { isWebAddress ? nil : scheme }

    private var scheme: String? {
        guard let end = utf8.firstIndex(of: UInt8(ascii: ":")), end > startIndex,
            utf8[end...].starts(with: "://".utf8)
        else { return nil }
        let name = self[..<end]
        let isName = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || "+-.".utf8.contains(byte)
        }
        return isName ? name.lowercased() : nil
    }
}

extension String {
    /// A URL's text with `***` in place of user name and password, so that it may be shown.
    package var maskingUserInfo: String {
        guard let scheme = place(of: "://") else { return self }
        let rest = self[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let end = authority.lastIndex(of: "@") else { return self }
        return self[..<scheme.upperBound] + "***" + self[end...]
    }
}

extension String {
    /// The path of a name in this folder; `/` ends in a slash already.
    package func path(to name: String) -> String { hasSuffix("/") ? self + name : "\(self)/\(name)" }
}
