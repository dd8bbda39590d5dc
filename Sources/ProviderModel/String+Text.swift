@_spi(_Unicode) import Swift

extension StringProtocol {
    /// Where a text first stands in this one, byte by byte.
    ///
    /// The standard library's `contains`, `ranges` and `firstRange` of a text are part of its regular expressions. Whoever
    /// calls one of them carries all of those, and moves a thousand pointers in them at every start.
    package func place(of text: String) -> Range<Index>? {
        let sought = text.utf8
        var start = utf8.startIndex
        while start < utf8.endIndex {
            if utf8[start...].starts(with: sought) { return start..<utf8.index(start, offsetBy: sought.count) }
            utf8.formIndex(after: &start)
        }
        return nil
    }

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
