import ProviderModel

/// Where the members of a provider's object stand in its file: `limits.rate`, `hosts[1]`, `search.params.color`.
struct SourceOutline: Sendable {
    private let file: String
    private let places: [String: SourceLocation]
    let tokens: [SourceTokens.Token]

    /// Outlines a file: the object literal that `module.exports` is, or that a theme is called with.
    init(_ text: String, file: String) {
        self.file = file
        tokens = SourceTokens(text).tokens
        var outliner = Outliner(tokens: tokens, file: file)
        places = outliner.outline()
    }

    /// The place of a member, else that of what it is in, else the file.
    func place(of path: String) -> SourceLocation {
        var path = path
        while true {
            if let place = places[path] { return place }
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else {
                return places[""] ?? SourceLocation(file: file, line: 1, column: 1)
            }
            path = String(path[..<end])
        }
    }

    /// The column of the first token of a line; 1 where there is none.
    func firstColumn(of line: Int) -> Int { tokens.first { $0.line == line }?.column ?? 1 }

    /// Whether the file exports anything.
    var hasExports: Bool { places[""] != nil }

    /// Whether a member stands in the file itself.
    func has(_ path: String) -> Bool { places[path] != nil }
}

/// Walks the tokens of object literals.
private struct Outliner {
    let tokens: [SourceTokens.Token]
    let file: String
    private var places: [String: SourceLocation] = [:]
    private var position = 0

    init(tokens: [SourceTokens.Token], file: String) {
        self.tokens = tokens
        self.file = file
    }

    mutating func outline() -> [String: SourceLocation] {
        guard
            let start = tokens.indices.first(where: { index in
                tokens[index].text == "module" && text(index + 1) == "." && text(index + 2) == "exports"
                    && text(index + 3) == "="
            })
        else { return places }
        position = start + 4
        places[""] = location(of: start)
        while position < tokens.count, !isSign("{") { position += 1 }
        object("")
        return places
    }

    /// Reads an object literal at `{`, up to behind its `}`.
    private mutating func object(_ path: String) {
        guard isSign("{") else { return }
        position += 1
        while position < tokens.count, !isSign("}") {
            if isSign(",") {
                position += 1
                continue
            }
            member(path)
        }
        position += 1
    }

    private mutating func member(_ path: String) {
        while isSign("*")
            || ["async", "get", "set"].contains(text(position)) && ![":", "(", ",", "}"].contains(text(position + 1))
        { position += 1 }
        let token = tokens[position]
        guard token.kind == .name || token.kind == .string || token.kind == .number else {
            skipValue()
            return
        }
        let inner = path.isEmpty ? token.text : "\(path).\(token.text)"
        places[inner] = location(of: position)
        position += 1
        if isSign(":") {
            position += 1
            value(inner)
        } else {
            skipValue()
        }
    }

    private mutating func value(_ path: String) {
        if isSign("{") {
            object(path)
        } else if isSign("[") {
            array(path)
        }
        skipValue()
    }

    private mutating func array(_ path: String) {
        position += 1
        var index = 0
        while position < tokens.count, !isSign("]") {
            if isSign(",") {
                position += 1
                index += 1
                continue
            }
            places["\(path)[\(index)]"] = location(of: position)
            value("\(path)[\(index)]")
        }
        position += 1
    }

    /// Passes over the rest of a value, up to the comma or bracket that ends it.
    private mutating func skipValue() {
        var depth = 0
        while position < tokens.count {
            let token = tokens[position]
            if token.kind == .sign {
                if depth == 0, [",", "}", "]"].contains(token.text) { return }
                if ["{", "(", "["].contains(token.text) { depth += 1 }
                if ["}", ")", "]"].contains(token.text) { depth -= 1 }
                if depth < 0 { return }
            }
            position += 1
        }
    }

    private func text(_ index: Int) -> String { index < tokens.count ? tokens[index].text : "" }

    private func isSign(_ sign: String) -> Bool {
        position < tokens.count && tokens[position].kind == .sign && tokens[position].text == sign
    }

    private func location(of index: Int) -> SourceLocation {
        SourceLocation(file: file, line: tokens[index].line, column: tokens[index].column)
    }
}
