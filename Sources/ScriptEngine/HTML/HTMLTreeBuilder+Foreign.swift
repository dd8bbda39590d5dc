import CLibXML2

/// The rules of SVG and MathML inside of a page.
extension HTMLTreeBuilder {
    /// Whether a start tag is one of SVG or MathML where it stands.
    func readsAsForeign(_ tag: HTMLTag) -> Bool {
        guard let current, current.namespace != .html else { return false }
        if current.isMathMLTextIntegrationPoint, tag.known != .mglyph, tag.known != .malignmark { return false }
        if current.namespace == .mathML, current.tag.known == .annotationXML, tag.known == .svg { return false }
        return !current.isHTMLIntegrationPoint
    }

    mutating func startForeign(_ token: HTMLStartTag) {
        if token.endsForeignContent {
            leaveForeignContent()
            return start(token, by: mode)
        }
        insertForeign(token, current?.namespace ?? .html)
    }

    mutating func endForeign(_ tag: HTMLTag) {
        if tag.known == .br || tag.known == .p {
            leaveForeignContent()
            return end(tag, by: mode)
        }
        var index = stack.count - 1
        while index > 0 {
            let element = stack[index]
            if element.namespace == .html { return end(tag, by: mode) }
            if element.tag == tag {
                stack.removeSubrange(index...)
                return
            }
            index -= 1
        }
    }

    /// Inserts an element of SVG or MathML, whose names have capitals where theirs do.
    mutating func insertForeign(_ token: HTMLStartTag, _ namespace: HTMLNamespace) {
        var adjusted = token
        for index in token.attributes.indices {
            let attribute = token.attributes[index]
            guard let name = String(xml: attribute.name), let exact = ForeignNames.attribute(name, in: namespace) else {
                continue
            }
            guard let stored = names.name(exact) else { return failure = .memory }
            adjusted.attributes[index] = HTMLAttribute(name: stored, value: attribute.value)
        }
        var name: UnsafePointer<xmlChar>?
        if namespace == .svg, let exact = String(xml: token.tag.name).flatMap(ForeignNames.svgElement) {
            name = names.name(exact)
        }
        let node = makeNode(adjusted, name: name) ?? useSpare()
        node.htmlNamespace = namespace
        insert(OpenElement(node: node, tag: token.tag, namespace: namespace))
        if token.isSelfClosing { pop() }
    }

    private mutating func leaveForeignContent() {
        while let current, current.namespace != .html, !current.isMathMLTextIntegrationPoint,
            !current.isHTMLIntegrationPoint
        {
            pop()
        }
    }
}

extension HTMLStartTag {
    /// Whether the tag is so much one of HTML that SVG or MathML must have been left open before it.
    fileprivate var endsForeignContent: Bool {
        switch tag.known {
        case .b, .big, .blockquote, .body, .br, .center, .code, .dd, .div, .dl, .dt, .em, .embed, .h1, .h2, .h3, .h4,
            .h5, .h6, .head, .hr, .i, .img, .li, .listing, .menu, .meta, .nobr, .ol, .p, .pre, .ruby, .s, .small,
            .span, .strong, .strike, .sub, .sup, .table, .tt, .u, .ul, .var:
            true
        case .font: attributes.contains { ["color", "face", "size"].contains(String(xml: $0.name)) }
        default: false
        }
    }
}

/// The names of SVG and MathML that have capitals, by their names in lower case.
enum ForeignNames {
    static func svgElement(_ name: String) -> StaticString? { svgElements[name] }

    static func attribute(_ name: String, in namespace: HTMLNamespace) -> StaticString? {
        switch namespace {
        case .html: nil
        case .svg: svgAttributes[name]
        case .mathML: name == "definitionurl" ? "definitionURL" : nil
        }
    }

    private static let svgElements = byLowerCase([
        "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform", "clipPath",
        "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting",
        "feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR",
        "feGaussianBlur", "feImage", "feMerge", "feMergeNode", "feMorphology", "feOffset", "fePointLight",
        "feSpecularLighting", "feSpotLight", "feTile", "feTurbulence", "foreignObject", "glyphRef", "linearGradient",
        "radialGradient", "textPath",
    ])

    private static let svgAttributes = byLowerCase([
        "attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode", "clipPathUnits",
        "diffuseConstant", "edgeMode", "filterUnits", "glyphRef", "gradientTransform", "gradientUnits",
        "kernelMatrix", "kernelUnitLength", "keyPoints", "keySplines", "keyTimes", "lengthAdjust", "limitingConeAngle",
        "markerHeight", "markerUnits", "markerWidth", "maskContentUnits", "maskUnits", "numOctaves", "pathLength",
        "patternContentUnits", "patternTransform", "patternUnits", "pointsAtX", "pointsAtY", "pointsAtZ",
        "preserveAlpha", "preserveAspectRatio", "primitiveUnits", "refX", "refY", "repeatCount", "repeatDur",
        "requiredExtensions", "requiredFeatures", "specularConstant", "specularExponent", "spreadMethod",
        "startOffset", "stdDeviation", "stitchTiles", "surfaceScale", "systemLanguage", "tableValues", "targetX",
        "targetY", "textLength", "viewBox", "viewTarget", "xChannelSelector", "yChannelSelector", "zoomAndPan",
    ])

    private static func byLowerCase(_ names: [StaticString]) -> [String: StaticString] {
        Dictionary(uniqueKeysWithValues: names.map { ("\($0)".lowercased(), $0) })
    }
}
