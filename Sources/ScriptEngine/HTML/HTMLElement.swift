import CLibXML2

/// An element on the stack of open elements.
struct OpenElement {
    let node: xmlNodePtr
    let tag: HTMLTag
    let namespace: HTMLNamespace

    /// The element's tag where it is one of HTML's own; unknown in SVG and MathML.
    var known: KnownTag { namespace == .html ? tag.known : .unknown }

    /// Whether browsers give the element rules of its own ("special" in the standard).
    var isSpecial: Bool {
        switch namespace {
        case .html: tag.known.isSpecial
        case .svg: isHTMLIntegrationPointOfSVG
        case .mathML: isMathMLTextIntegrationPoint || tag.known == .annotationXML
        }
    }

    var isHTMLIntegrationPointOfSVG: Bool {
        guard namespace == .svg else { return false }
        return switch tag.known {
        case .foreignObject, .desc, .title: true
        default: false
        }
    }

    var isMathMLTextIntegrationPoint: Bool {
        guard namespace == .mathML else { return false }
        return switch tag.known {
        case .mi, .mo, .mn, .ms, .mtext: true
        default: false
        }
    }

    /// Whether HTML is read inside of the element as outside of it.
    var isHTMLIntegrationPoint: Bool {
        if isHTMLIntegrationPointOfSVG { return true }
        guard namespace == .mathML, tag.known == .annotationXML else { return false }
        let encoding = node.attributes.first { String(xml: $0.pointee.name) == "encoding" }?.text.lowercased()
        return encoding == "text/html" || encoding == "application/xhtml+xml"
    }

    /// Whether a search for an element "in scope" ends at this one.
    func bounds(_ scope: ElementScope) -> Bool {
        switch scope {
        case .table: return known == .html || known == .table || known == .template
        case .button where known == .button: return true
        case .listItem where known == .ol || known == .ul: return true
        default: break
        }
        guard namespace == .html else { return isSpecial }
        return switch tag.known {
        case .applet, .caption, .html, .table, .td, .th, .marquee, .object, .select, .template: true
        default: false
        }
    }
}

/// The scopes in which the standard looks for an open element.
enum ElementScope {
    case normal, listItem, button, table
}

extension KnownTag {
    var isHeading: Bool {
        switch self {
        case .h1, .h2, .h3, .h4, .h5, .h6: true
        default: false
        }
    }

    /// Whether a missing end tag of the element is implied where others end.
    var hasImpliedEndTag: Bool {
        switch self {
        case .dd, .dt, .li, .optgroup, .option, .p, .rb, .rp, .rt, .rtc: true
        default: false
        }
    }

    /// Whether a missing end tag of the element is implied where a template ends.
    var hasImpliedEndTagInTemplate: Bool {
        switch self {
        case .caption, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr: true
        default: hasImpliedEndTag
        }
    }

    /// Whether text beside the element's own children stands before the table.
    var fostersParents: Bool {
        switch self {
        case .table, .tbody, .tfoot, .thead, .tr: true
        default: false
        }
    }

    fileprivate var isSpecial: Bool {
        switch self {
        case .address, .applet, .area, .article, .aside, .base, .basefont, .bgsound, .blockquote, .body, .br, .button,
            .caption, .center, .col, .colgroup, .dd, .details, .dir, .div, .dl, .dt, .embed, .fieldset, .figcaption,
            .figure, .footer, .form, .frame, .frameset, .h1, .h2, .h3, .h4, .h5, .h6, .head, .header, .hgroup, .hr,
            .html, .iframe, .img, .input, .keygen, .li, .link, .listing, .main, .marquee, .menu, .meta, .nav, .noembed,
            .noframes, .noscript, .object, .ol, .p, .param, .plaintext, .pre, .script, .search, .section, .select,
            .source, .style, .summary, .table, .tbody, .td, .template, .textarea, .tfoot, .th, .thead, .title, .tr,
            .track, .ul, .wbr, .xmp:
            true
        default: false
        }
    }
}

extension UnsafeMutablePointer where Pointee == xmlNode {
    /// The vocabulary of an element in a page, which libxml2's nodes have no field for: a namespace of XML would keep plain
    /// names in XPath from matching.
    var htmlNamespace: HTMLNamespace {
        get {
            pointee.type == XML_ELEMENT_NODE ? HTMLNamespace(rawValue: UInt(bitPattern: pointee.psvi)) ?? .html : .html
        }
        nonmutating set { pointee.psvi = UnsafeMutableRawPointer(bitPattern: newValue.rawValue) }
    }

    /// Takes a node out of its parent.
    func unlink() {
        let (parent, previous, next) = (pointee.parent, pointee.prev, pointee.next)
        if let previous { previous.pointee.next = next } else { parent?.pointee.children = next }
        if let next { next.pointee.prev = previous } else { parent?.pointee.last = previous }
        (pointee.parent, pointee.prev, pointee.next) = (nil, nil, nil)
    }

    /// Puts a node that has no parent into one, at the end or before a child.
    func link(into parent: xmlNodePtr, before next: xmlNodePtr?) {
        let previous = next == nil ? parent.pointee.last : next?.pointee.prev
        (pointee.parent, pointee.prev, pointee.next) = (parent, previous, next)
        if let previous { previous.pointee.next = self } else { parent.pointee.children = self }
        if let next { next.pointee.prev = self } else { parent.pointee.last = self }
    }
}
