@_spi(_Unicode) import Swift

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
