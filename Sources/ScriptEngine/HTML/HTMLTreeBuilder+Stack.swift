import CLibXML2

/// The stack of open elements, and the list of active formatting elements.
extension HTMLTreeBuilder {
    func hasInScope(_ scope: ElementScope = .normal, where isWanted: (KnownTag) -> Bool) -> Bool {
        for element in stack.reversed() {
            if isWanted(element.known) { return true }
            if element.bounds(scope) { return false }
        }
        return false
    }

    func hasInScope(_ wanted: KnownTag, _ scope: ElementScope = .normal) -> Bool { hasInScope(scope) { $0 == wanted } }

    /// Pops elements up to one that is wanted, which goes too.
    mutating func pop(through isWanted: (KnownTag) -> Bool) {
        while let element = stack.popLast(), !isWanted(element.known) {}
    }

    mutating func pop(through wanted: KnownTag) { pop { $0 == wanted } }

    mutating func generateImpliedEndTags(except kept: KnownTag? = nil) {
        while let known = current?.known, known.hasImpliedEndTag, known != kept { pop() }
    }

    mutating func closeParagraph() {
        generateImpliedEndTags(except: .p)
        pop(through: .p)
    }

    mutating func closeParagraphInScope() {
        if hasInScope(.p, .button) { closeParagraph() }
    }

    /// Pops what a table, a table's body or a row cannot hold.
    mutating func clearStack(to tags: Set<KnownTag>) {
        while let known = current?.known, !tags.contains(known), known != .template, known != .html { pop() }
    }

    /// Chooses the rules by the elements that are open.
    mutating func resetMode() {
        for (index, element) in stack.enumerated().reversed() {
            switch element.known {
            case .td where index > 0, .th where index > 0: mode = .inCell
            case .tr: mode = .inRow
            case .tbody, .thead, .tfoot: mode = .inTableBody
            case .caption: mode = .inCaption
            case .colgroup: mode = .inColumnGroup
            case .table: mode = .inTable
            case .template: mode = templateModes.last ?? .inTemplate
            case .head where index > 0: mode = .inHead
            case .body: mode = .inBody
            case .frameset: mode = .inFrameset
            case .html: mode = head == nil ? .beforeHead : .afterHead
            default: continue
            }
            return
        }
        mode = .inBody
    }

    // MARK: Formatting elements

    mutating func reconstructFormatting() {
        guard let last = formatting.last?.element, !isOpen(last.node) else { return }
        var index = formatting.count - 1
        while index > 0, let element = formatting[index - 1].element, !isOpen(element.node) { index -= 1 }
        for index in index..<formatting.count where failure == nil {
            guard let element = formatting[index].element else { continue }
            let copy = clone(element)
            insert(copy)
            formatting[index] = .element(copy)
        }
    }

    func isOpen(_ node: xmlNodePtr) -> Bool { stack.contains { $0.node == node } }

    /// Adds a formatting element; of more than three alike the first is forgotten.
    mutating func pushFormatting(_ element: OpenElement) {
        var alike: [Int] = []
        for (index, entry) in formatting.enumerated().reversed() {
            guard let other = entry.element else { break }
            if other.tag == element.tag, other.namespace == element.namespace,
                other.node.hasSameAttributes(as: element.node)
            {
                alike.append(index)
            }
        }
        if alike.count >= 3, let first = alike.last { formatting.remove(at: first) }
        formatting.append(.element(element))
    }

    mutating func clearFormattingToMarker() {
        while let entry = formatting.popLast(), entry.element != nil {}
    }

    /// The place of the last formatting element with a tag, behind the last marker.
    func formattingIndex(of tag: HTMLTag) -> Int? {
        for (index, entry) in formatting.enumerated().reversed() {
            guard let element = entry.element else { return nil }
            if element.tag == tag { return index }
        }
        return nil
    }

    private func formattingIndex(of node: xmlNodePtr) -> Int? {
        formatting.lastIndex { $0.element?.node == node }
    }

    mutating func removeFromFormatting(_ node: xmlNodePtr) {
        if let index = formattingIndex(of: node) { formatting.remove(at: index) }
    }

    mutating func removeFromStack(_ node: xmlNodePtr) {
        if let index = stack.lastIndex(where: { $0.node == node }) { stack.remove(at: index) }
    }

    // MARK: Wrongly nested formatting

    /// Ends a formatting element whose end tag stands inside of other elements ("adoption agency algorithm").
    mutating func adopt(_ tag: HTMLTag) {
        if let current, current.namespace == .html, current.tag == tag, formattingIndex(of: current.node) == nil {
            return pop()
        }
        flushText()
        for _ in 0..<8 where failure == nil {
            guard let index = formattingIndex(of: tag), let element = formatting[index].element else {
                return anyOtherEndTag(tag)
            }
            guard let open = stack.lastIndex(where: { $0.node == element.node }) else {
                formatting.remove(at: index)
                return
            }
            guard !stack[(open + 1)...].contains(where: { $0.bounds(.normal) }) else { return }
            guard let block = stack[(open + 1)...].firstIndex(where: \.isSpecial) else {
                stack.removeSubrange(open...)
                formatting.remove(at: index)
                return
            }
            adopt(element, open: open, block: block)
        }
    }

    /// One round: the block at `block` leaves the formatting element at `open`, and its content gets a copy of it.
    private mutating func adopt(_ element: OpenElement, open: Int, block: Int) {
        let furthestBlock = stack[block]
        let commonAncestor = stack[open - 1]
        var bookmark = formattingIndex(of: element.node) ?? formatting.count
        var last = furthestBlock
        var index = block
        var round = 0
        while true {
            round += 1
            index -= 1
            let node = stack[index]
            if node.node == element.node { break }
            if round > 3, let known = formattingIndex(of: node.node) {
                formatting.remove(at: known)
                if known < bookmark { bookmark -= 1 }
            }
            guard let known = formattingIndex(of: node.node) else {
                stack.remove(at: index)
                continue
            }
            let copy = clone(node)
            formatting[known] = .element(copy)
            stack[index] = copy
            if last.node == furthestBlock.node { bookmark = known + 1 }
            last.node.unlink()
            last.node.link(into: copy.node, before: nil)
            last = copy
        }
        last.node.unlink()
        let place = insertionPlace(in: commonAncestor)
        last.node.link(into: place.parent, before: place.next)
        let copy = clone(element)
        while let child = furthestBlock.node.pointee.children {
            child.unlink()
            child.link(into: copy.node, before: nil)
        }
        copy.node.link(into: furthestBlock.node, before: nil)
        replace(element, by: copy, bookmark: bookmark, below: furthestBlock)
    }

    private mutating func replace(
        _ element: OpenElement, by copy: OpenElement, bookmark: Int, below block: OpenElement
    ) {
        var bookmark = bookmark
        if let known = formattingIndex(of: element.node) {
            formatting.remove(at: known)
            if known < bookmark { bookmark -= 1 }
        }
        formatting.insert(.element(copy), at: min(bookmark, formatting.count))
        removeFromStack(element.node)
        if let index = stack.lastIndex(where: { $0.node == block.node }) { stack.insert(copy, at: index + 1) }
    }
}

extension UnsafeMutablePointer where Pointee == xmlNode {
    fileprivate func hasSameAttributes(as other: xmlNodePtr) -> Bool {
        var count = 0
        for attribute in attributes {
            count += 1
            let same = other.attributes.first { $0.pointee.name == attribute.pointee.name }
            guard let same, same.text == attribute.text else { return false }
        }
        return other.attributes.reduce(0) { sum, _ in sum + 1 } == count
    }
}
