import CLibXML2

/// The tokens, each given to the rules that are in force.
extension HTMLTreeBuilder: HTMLTokenSink {
    var hasFailed: Bool { failure != nil }

    var allowsCDATA: Bool { (current?.namespace ?? .html) != .html }

    mutating func doctype(_ doctype: HTMLDoctype) {
        endTableText()
        skipsLineFeed = false
        guard mode == .initial else { return }
        func string(_ bytes: [UInt8]?) -> [UInt8]? { bytes.flatMap { $0.isEmpty ? nil : $0 + [0] } }
        // Its identifiers are not told apart from empty ones where they are missing: nothing reads them but `isQuirky`.
        _ = xmlCreateIntSubset(document, string(doctype.name), string(doctype.publicID), string(doctype.systemID))
        isQuirky = doctype.isQuirky
        mode = .beforeHTML
    }

    mutating func startTag(_ tag: HTMLStartTag) -> HTMLTextContent {
        endTableText()
        skipsLineFeed = false
        content = .data
        if readsAsForeign(tag.tag) { startForeign(tag) } else { start(tag, by: mode) }
        return content
    }

    mutating func endTag(_ tag: HTMLTag) {
        endTableText()
        skipsLineFeed = false
        if let current, current.namespace != .html { endForeign(tag) } else { end(tag, by: mode) }
    }

    mutating func comment(_ text: [UInt8]) {
        endTableText()
        skipsLineFeed = false
        switch mode {
        case .initial, .beforeHTML, .afterAfterBody, .afterAfterFrameset:
            insertComment(text, into: documentNode)
        case .afterBody: insertComment(text, into: stack.first?.node)
        default: insertComment(text)
        }
    }

    mutating func end() {
        endTableText()
        if mode == .text {
            pop()
            mode = originalMode
        }
        // An empty page has a head and a body, too.
        characters(among: [.initial, .beforeHTML, .beforeHead, .inHead, .inHeadNoscript, .afterHead])
        while stack.contains(where: { $0.known == .template }), failure == nil { endTemplate() }
        characters(among: [.initial, .beforeHTML, .beforeHead, .inHead, .inHeadNoscript, .afterHead])
        flushText()
    }

    // MARK: Text

    mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        var rest = bytes
        if skipsLineFeed {
            skipsLineFeed = false
            if rest.first == UInt8(ascii: "\n") { rest = UnsafeBufferPointer(rebasing: rest.dropFirst()) }
        }
        guard !rest.isEmpty else { return }
        if let current, current.namespace != .html, !current.isMathMLTextIntegrationPoint,
            !current.isHTMLIntegrationPoint
        {
            return foreignCharacters(rest)
        }
        if mode == .text { return insertText(rest) }
        let space = rest.prefix { $0.isHTMLSpace }.count
        let text = UnsafeBufferPointer(rebasing: rest[space...])
        if isBeforeBody {
            // What may be white space alone before the body is inserted, or dropped, as its place has it.
            if [.inHead, .inHeadNoscript, .afterHead].contains(mode) {
                insertText(UnsafeBufferPointer(rebasing: rest[..<space]))
            }
            guard !text.isEmpty else { return }
            characters(among: [.initial, .beforeHTML, .beforeHead, .inHead, .inHeadNoscript, .afterHead])
            return charactersInBody(text)
        }
        characters(rest, space: space)
    }

    private var isBeforeBody: Bool {
        switch mode {
        case .initial, .beforeHTML, .beforeHead, .inHead, .inHeadNoscript, .afterHead: true
        default: false
        }
    }

    private mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>, space: Int) {
        let leading = UnsafeBufferPointer(rebasing: bytes[..<space])
        let text = UnsafeBufferPointer(rebasing: bytes[space...])
        switch mode {
        case .inTable, .inTableBody, .inRow:
            guard let known = current?.known, known.fostersParents || known == .template else {
                return fostering { $0.charactersInBody(bytes) }
            }
            originalMode = mode
            mode = .inTableText
            tableText += bytes.lazy.filter { $0 != 0 }
        case .inTableText: tableText += bytes.lazy.filter { $0 != 0 }
        case .inColumnGroup:
            insertText(leading)
            guard !text.isEmpty, current?.known == .colgroup else { return }
            pop()
            mode = .inTable
            characters(text)
        case .afterBody, .afterAfterBody:
            charactersInBody(leading)
            guard !text.isEmpty else { return }
            mode = .inBody
            charactersInBody(text)
        case .inFrameset, .afterFrameset:
            let spaces = bytes.filter(\.isHTMLSpace)
            spaces.withUnsafeBufferPointer { insertText($0) }
        case .afterAfterFrameset:
            let spaces = bytes.filter(\.isHTMLSpace)
            spaces.withUnsafeBufferPointer { charactersInBody($0) }
        default: charactersInBody(bytes)
        }
    }

    mutating func charactersInBody(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard !bytes.isEmpty, bytes[0] != 0 else { return }
        reconstructFormatting()
        insertText(bytes)
        if acceptsFrameset, !bytes.allSatisfy(\.isHTMLSpace) { acceptsFrameset = false }
    }

    private mutating func foreignCharacters(_ bytes: UnsafeBufferPointer<UInt8>) {
        if bytes[0] == 0 {
            return HTMLTokenizer<HTMLTreeBuilder>.replacement.withUnsafeBufferPointer { insertText($0) }
        }
        insertText(bytes)
        if acceptsFrameset, !bytes.allSatisfy(\.isHTMLSpace) { acceptsFrameset = false }
    }

    /// Inserts the elements that text before the body implies, while one of these modes is in force.
    private mutating func characters(among modes: Set<Mode>) {
        while modes.contains(mode), failure == nil { leaveModeBeforeBody() }
    }

    /// Goes on to the next mode before the body, as anything does that the mode has no rule for.
    mutating func leaveModeBeforeBody() {
        switch mode {
        case .initial:
            isQuirky = true
            mode = .beforeHTML
        case .beforeHTML:
            insertImplied(.html)
            mode = .beforeHead
        case .beforeHead:
            insertImplied(.head)
            head = current
            mode = .inHead
        case .inHead:
            pop()
            mode = .afterHead
        case .inHeadNoscript:
            pop()
            mode = .inHead
        case .afterHead:
            insertImplied(.body)
            mode = .inBody
        default: break
        }
    }

    // MARK: Text of tables

    /// Inserts the text that was gathered inside of a table: before it, unless it is white space.
    private mutating func endTableText() {
        guard mode == .inTableText else { return }
        mode = originalMode
        let text = tableText
        tableText.removeAll(keepingCapacity: true)
        text.withUnsafeBufferPointer { text in
            if text.allSatisfy(\.isHTMLSpace) { insertText(text) } else { fostering { $0.charactersInBody(text) } }
        }
    }

    /// Runs `body`; what it inserts into a table that cannot hold it stands before the table.
    mutating func fostering(_ body: (inout HTMLTreeBuilder) -> Void) {
        fostersParents = true
        body(&self)
        fostersParents = false
    }
}

extension HTMLDoctype {
    /// Whether browsers render a page of this type as the oldest of them did; it decides whether a table ends a paragraph.
    fileprivate var isQuirky: Bool {
        func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self).lowercased() } }
        if forcesQuirks || text(name) != "html" { return true }
        let (publicID, systemID) = (text(publicID), text(systemID))
        if systemID == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd" { return true }
        guard let publicID else { return false }
        if Self.quirkyIDs.contains(publicID) || Self.quirkyPrefixes.contains(where: publicID.hasPrefix) { return true }
        return systemID == nil && Self.quirkyPrefixesWithoutSystem.contains(where: publicID.hasPrefix)
    }

    private static let quirkyIDs = [
        "-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html",
    ]
    private static let quirkyPrefixesWithoutSystem = [
        "-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//",
    ]
    private static let quirkyPrefixes = [
        "+//silmaril//dtd html pro v0r11 19970101//", "-//as//dtd html 3.0 aswedit + extensions//",
        "-//advasoft ltd//dtd html 3.0 aswedit + extensions//", "-//ietf//dtd html 2.0 level 1//",
        "-//ietf//dtd html 2.0 level 2//", "-//ietf//dtd html 2.0 strict level 1//",
        "-//ietf//dtd html 2.0 strict level 2//", "-//ietf//dtd html 2.0 strict//", "-//ietf//dtd html 2.0//",
        "-//ietf//dtd html 2.1e//", "-//ietf//dtd html 3.0//", "-//ietf//dtd html 3.2 final//",
        "-//ietf//dtd html 3.2//", "-//ietf//dtd html 3//", "-//ietf//dtd html level 0//",
        "-//ietf//dtd html level 1//", "-//ietf//dtd html level 2//", "-//ietf//dtd html level 3//",
        "-//ietf//dtd html strict level 0//", "-//ietf//dtd html strict level 1//",
        "-//ietf//dtd html strict level 2//", "-//ietf//dtd html strict level 3//", "-//ietf//dtd html strict//",
        "-//ietf//dtd html//", "-//metrius//dtd metrius presentational//",
        "-//microsoft//dtd internet explorer 2.0 html strict//", "-//microsoft//dtd internet explorer 2.0 html//",
        "-//microsoft//dtd internet explorer 2.0 tables//", "-//microsoft//dtd internet explorer 3.0 html strict//",
        "-//microsoft//dtd internet explorer 3.0 html//", "-//microsoft//dtd internet explorer 3.0 tables//",
        "-//netscape comm. corp.//dtd html//", "-//netscape comm. corp.//dtd strict html//",
        "-//o'reilly and associates//dtd html 2.0//", "-//o'reilly and associates//dtd html extended 1.0//",
        "-//o'reilly and associates//dtd html extended relaxed 1.0//", "-//sq//dtd html 2.0 hotmetal + extensions//",
        "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
        "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//", "-//spyglass//dtd html 2.0 extended//",
        "-//sun microsystems corp.//dtd hotjava html//", "-//sun microsystems corp.//dtd hotjava strict html//",
        "-//w3c//dtd html 3 1995-03-24//", "-//w3c//dtd html 3.2 draft//", "-//w3c//dtd html 3.2 final//",
        "-//w3c//dtd html 3.2//", "-//w3c//dtd html 3.2s draft//", "-//w3c//dtd html 4.0 frameset//",
        "-//w3c//dtd html 4.0 transitional//", "-//w3c//dtd html experimental 19960712//",
        "-//w3c//dtd html experimental 970421//", "-//w3c//dtd w3 html//", "-//w3o//dtd w3 html 3.0//",
        "-//webtechs//dtd mozilla html 2.0//", "-//webtechs//dtd mozilla html//",
    ]
}
