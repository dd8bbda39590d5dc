import ProviderModel

/// The elements of an SVG drawing, as far as XML's marks lead.
enum SVGLayout {
    static func read(_ content: some FileContent) throws(DownloadError) -> ImageLayout {
        var reader = try MarkupReader(content)
        var size: ImageSize?
        var depth = 0
        var isClosed = false
        var note: String?
        var isForeign = false
        while let mark = try reader.next() {
            if isClosed {
                note = "has content behind its end"
                continue
            }
            switch mark {
            case .start(let text, let isEmpty):
                if depth == 0 {
                    size = Self.size(of: text)
                    isForeign = !Self.isNamespace(of: text)
                }
                if !isEmpty { depth += 1 }
            case .end: depth -= 1
            case .text: continue
            }
            isClosed = depth <= 0
        }
        if isForeign { return ImageLayout(size: size, end: .invalid("its elements are not in SVG's namespace")) }
        return ImageLayout(size: size, end: isClosed ? .whole(note: note) : .cut)
    }

    /// Whether a file's first element is a drawing's; nil where it ends before that.
    static func isRoot(of content: some FileContent) throws(DownloadError) -> Bool? {
        var reader = try MarkupReader(content)
        while let mark = try reader.next() {
            guard case .start(let text, _) = mark else { return false }
            let name = text.prefix { !$0.isWhitespace && $0 != "/" }
            return name == "svg" || name.hasSuffix(":svg")
        }
        return nil
    }

    /// Whether a root element is in the namespace of drawings, or in none, which some decoders take for it.
    private static func isNamespace(of text: String) -> Bool {
        let name = text.prefix { !$0.isWhitespace && $0 != "/" }
        let prefix = name.lastIndex(of: ":").map { ":" + name[..<$0] } ?? ""
        // An entity's text is in the type of the document.
        return attribute("xmlns" + prefix, of: text).map { $0 == namespace || $0.contains("&") } ?? true
    }

    private static let namespace = "http://www.w3.org/2000/svg"

    // MARK: Size

    /// SVG 2 §8.2: the element's sides in pixels, or the sides of what it shows.
    private static func size(of text: String) -> ImageSize? {
        let sides = (length(attribute("width", of: text)), length(attribute("height", of: text)))
        let box = attribute("viewBox", of: text).map { box in
            box.split { $0.isWhitespace || $0 == "," }.compactMap { Double($0) }
        }
        guard let box, box.count == 4, box[2] > 0, box[3] > 0 else { return rounded(sides.0, sides.1) }
        switch sides {
        case (let width?, let height?): return rounded(width, height)
        case (let width?, nil): return rounded(width, width * box[3] / box[2])
        case (nil, let height?): return rounded(height * box[2] / box[3], height)
        case (nil, nil): return rounded(box[2], box[3])
        }
    }

    private static func rounded(_ width: Double?, _ height: Double?) -> ImageSize? {
        guard let width, let height, (0.5..<1e9).contains(width), (0.5..<1e9).contains(height) else { return nil }
        return ImageSize(width: Int(width.rounded()), height: Int(height.rounded()))
    }

    /// An attribute's text; nil where there is none.
    private static func attribute(_ name: String, of text: String) -> String? {
        var rest = text.drop { !$0.isWhitespace }
        while let equals = rest.firstIndex(of: "=") {
            let found = rest[..<equals].split { $0.isWhitespace }.last
            let value = rest[equals...].dropFirst().drop { $0.isWhitespace }
            guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
            guard let end = value.dropFirst().firstIndex(of: quote) else { return nil }
            if let found, found == name { return String(value[value.index(after: value.startIndex)..<end]) }
            rest = value[end...].dropFirst()
        }
        return nil
    }

    /// CSS Values §6.2: 96 pixels are an inch.
    private static let units: [String: Double] = [
        "": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96 / 72.0, "pc": 16,
        "em": 16,
        "rem": 16, "ex": 8,
    ]

    /// A length in pixels; nil for a part of something else.
    private static func length(_ text: String?) -> Double? {
        guard let text = text?.trimmingSpaces else { return nil }
        var number = text.prefix { $0.isNumber || "+-.eE".contains($0) }
        // `2em` is a number with a unit, and `2e3` one without.
        if let last = number.last, last == "e" || last == "E" { number = number.dropLast() }
        let unit = text[number.endIndex...].lowercased()
        guard let value = Double(number), let factor = units[unit] else { return nil }
        return value * factor
    }
}
