import CLibXML2

/// The rules of the body.
extension HTMLTreeBuilder {
    mutating func startInBody(_ token: HTMLStartTag) {
        switch token.tag.known {
        case _ where token.tag.known.belongsToHead: startInHead(token)
        case .html: if !hasTemplate, let root = stack.first { addMissingAttributes(token.attributes, to: root.node) }
        case .body: startBody(token)
        case .frameset: startFrameset(token)
        case .address, .article, .aside, .blockquote, .center, .details, .dialog, .dir, .div, .dl, .fieldset,
            .figcaption, .figure, .footer, .header, .hgroup, .main, .menu, .nav, .ol, .p, .search, .section, .summary,
            .ul:
            closeParagraphInScope()
            insert(token)
        case .h1, .h2, .h3, .h4, .h5, .h6:
            closeParagraphInScope()
            if current?.known.isHeading == true { pop() }
            insert(token)
        case .pre, .listing:
            closeParagraphInScope()
            insert(token)
            skipsLineFeed = true
            acceptsFrameset = false
        case .form: startForm(token)
        case .li: startListItem(token, closing: [.li])
        case .dd, .dt: startListItem(token, closing: [.dd, .dt])
        case .plaintext:
            closeParagraphInScope()
            insert(token)
            content = .plainText
        case .button:
            if hasInScope(.button) {
                generateImpliedEndTags()
                pop(through: .button)
            }
            reconstructFormatting()
            insert(token)
            acceptsFrameset = false
        default: startPhrase(token)
        }
    }

    /// Start tags of what stands in a line of text.
    private mutating func startPhrase(_ token: HTMLStartTag) {
        switch token.tag.known {
        case .a:
            if let index = formattingIndex(of: token.tag), let open = formatting[index].element {
                adopt(token.tag)
                removeFromFormatting(open.node)
                removeFromStack(open.node)
            }
            startFormatting(token)
        case .b, .big, .code, .em, .font, .i, .s, .small, .strike, .strong, .tt, .u: startFormatting(token)
        case .nobr:
            reconstructFormatting()
            if hasInScope(.nobr) { adopt(token.tag) }
            startFormatting(token)
        case .applet, .marquee, .object:
            reconstructFormatting()
            insert(token)
            formatting.append(.marker)
            acceptsFrameset = false
        case .table:
            if !isQuirky { closeParagraphInScope() }
            insert(token)
            acceptsFrameset = false
            mode = .inTable
        case .area, .br, .embed, .img, .keygen, .wbr:
            reconstructFormatting()
            insertVoid(token)
            acceptsFrameset = false
        case .image:
            guard let tag = names.tag(.img) else { return failure = .memory }
            startInBody(HTMLStartTag(tag: tag, attributes: token.attributes))
        case .input: startInput(token)
        case .param, .source, .track: insertVoid(token)
        case .hr:
            closeParagraphInScope()
            if hasInScope(.select) { generateImpliedEndTags() }
            insertVoid(token)
            acceptsFrameset = false
        default: startOther(token)
        }
    }

    private mutating func startOther(_ token: HTMLStartTag) {
        switch token.tag.known {
        case .textarea:
            insertText(of: token, as: .escapableText)
            skipsLineFeed = true
            acceptsFrameset = false
        case .xmp:
            closeParagraphInScope()
            reconstructFormatting()
            acceptsFrameset = false
            insertText(of: token, as: .rawText)
        case .iframe:
            acceptsFrameset = false
            insertText(of: token, as: .rawText)
        case .noembed: insertText(of: token, as: .rawText)
        case .select: startSelect(token)
        case .option, .optgroup: startOption(token)
        case .rb, .rtc:
            if hasInScope(.ruby) { generateImpliedEndTags() }
            insert(token)
        case .rp, .rt:
            if hasInScope(.ruby) { generateImpliedEndTags(except: .rtc) }
            insert(token)
        case .math, .svg:
            reconstructFormatting()
            insertForeign(token, token.tag.known == .math ? .mathML : .svg)
        case .caption, .col, .colgroup, .frame, .head, .tbody, .td, .tfoot, .th, .thead, .tr: break
        default:
            reconstructFormatting()
            insert(token)
        }
    }

    // MARK: Single elements

    private mutating func startBody(_ token: HTMLStartTag) {
        guard stack.count > 1, stack[1].known == .body, !hasTemplate else { return }
        acceptsFrameset = false
        addMissingAttributes(token.attributes, to: stack[1].node)
    }

    private mutating func startFrameset(_ token: HTMLStartTag) {
        guard acceptsFrameset, stack.count > 1, stack[1].known == .body else { return }
        flushText()
        stack[1].node.unlink()
        // Elements in there may still be known as formatting.
        detached.append(stack[1].node)
        stack.removeSubrange(1...)
        insert(token)
        mode = .inFrameset
    }

    private mutating func startForm(_ token: HTMLStartTag) {
        guard form == nil || hasTemplate else { return }
        closeParagraphInScope()
        let element = insert(token)
        if !hasTemplate { form = element.node }
    }

    private mutating func startListItem(_ token: HTMLStartTag, closing tags: [KnownTag]) {
        acceptsFrameset = false
        for element in stack.reversed() {
            let known = element.known
            if tags.contains(known) {
                generateImpliedEndTags(except: known)
                pop(through: known)
                break
            }
            if element.isSpecial, known != .address, known != .div, known != .p { break }
        }
        closeParagraphInScope()
        insert(token)
    }

    private mutating func startFormatting(_ token: HTMLStartTag) {
        reconstructFormatting()
        pushFormatting(insert(token))
    }

    private mutating func startInput(_ token: HTMLStartTag) {
        if hasInScope(.select) { pop(through: .select) }
        reconstructFormatting()
        insertVoid(token)
        if !token.isHiddenInput { acceptsFrameset = false }
    }

    private mutating func startSelect(_ token: HTMLStartTag) {
        guard !hasInScope(.select) else { return pop(through: .select) }
        reconstructFormatting()
        insert(token)
        acceptsFrameset = false
    }

    private mutating func startOption(_ token: HTMLStartTag) {
        if hasInScope(.select) {
            generateImpliedEndTags(except: token.tag.known == .option ? .optgroup : nil)
        } else if current?.known == .option {
            pop()
        }
        reconstructFormatting()
        insert(token)
    }

    // MARK: End tags

    mutating func endInBody(_ tag: HTMLTag) {
        let known = tag.known
        switch known {
        case .template: endTemplate()
        case .body, .html:
            guard hasInScope(.body) else { return }
            mode = .afterBody
            if known == .html { end(tag, by: mode) }
        case .address, .article, .aside, .blockquote, .button, .center, .details, .dialog, .dir, .div, .dl, .fieldset,
            .figcaption, .figure, .footer, .header, .hgroup, .listing, .main, .menu, .nav, .ol, .pre, .search,
            .section, .select, .summary, .ul:
            endBlock(known)
        case .form: endForm()
        case .p:
            if !hasInScope(.p, .button) { insertImplied(.p) }
            closeParagraph()
        case .li: endBlock(.li, .listItem, except: .li)
        case .dd, .dt: endBlock(known, except: known)
        case .h1, .h2, .h3, .h4, .h5, .h6:
            guard hasInScope(where: \.isHeading) else { return }
            generateImpliedEndTags()
            pop(through: \.isHeading)
        case .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u: adopt(tag)
        case .applet, .marquee, .object: if endBlock(known) { clearFormattingToMarker() }
        case .br: startInBody(HTMLStartTag(tag: tag))
        default: anyOtherEndTag(tag)
        }
    }

    @discardableResult
    private mutating func endBlock(
        _ known: KnownTag, _ scope: ElementScope = .normal, except kept: KnownTag? = nil
    ) -> Bool {
        guard hasInScope(known, scope) else { return false }
        generateImpliedEndTags(except: kept)
        pop(through: known)
        return true
    }

    private mutating func endForm() {
        if hasTemplate {
            endBlock(.form)
            return
        }
        let node = form
        form = nil
        guard let node, let index = stack.lastIndex(where: { $0.node == node }),
            !stack[(index + 1)...].contains(where: { $0.bounds(.normal) })
        else { return }
        generateImpliedEndTags()
        removeFromStack(node)
    }

    mutating func anyOtherEndTag(_ tag: HTMLTag) {
        for element in stack.reversed() {
            if element.namespace == .html, element.tag == tag {
                while let known = current?.known, known.hasImpliedEndTag, current?.node != element.node { pop() }
                while let last = stack.popLast(), last.node != element.node {}
                return
            }
            if element.isSpecial { return }
        }
    }
}

extension HTMLStartTag {
    /// Whether this is the tag of an input that is not seen.
    var isHiddenInput: Bool {
        attributes.contains { String(xml: $0.name) == "type" && $0.hasValue("hidden") }
    }
}
