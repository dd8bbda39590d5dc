import CJavaScriptCore

/// The functions that `document.js` expects, over the `DocumentStore`.
struct DocumentFunctions {
    let runtime: ScriptRuntime
    let documents: DocumentStore

    var all: [(String, NativeFunction.Body)] {
        [
            (
                "evaluate",
                { arguments throws(NativeError) in
                    let result = try node(arguments) { handle throws(DocumentError) in
                        try documents.evaluate(xpath: runtime.string(arguments[1]) ?? "", on: handle)
                    }
                    return value(of: result)
                }
            ),
            text("name") { handle throws(DocumentError) in try documents.name(of: handle) },
            text("localName") { handle throws(DocumentError) in try documents.localName(of: handle) },
            text("namespaceURI") { handle throws(DocumentError) in try documents.namespaceURI(of: handle) },
            text("textContent") { handle throws(DocumentError) in try documents.textContent(of: handle) },
            text("innerHTML") { handle throws(DocumentError) in try documents.innerHTML(of: handle) },
            text("outerHTML") { handle throws(DocumentError) in try documents.outerHTML(of: handle) },
            (
                "attribute",
                { arguments throws(NativeError) in
                    let attribute = try node(arguments) { handle throws(DocumentError) in
                        try documents.attribute(runtime.string(arguments[1]) ?? "", of: handle)
                    }
                    return attribute.map(runtime.value) ?? runtime.null
                }
            ),
            (
                "attributes",
                { arguments throws(NativeError) in
                    let attributes = try node(arguments) { handle throws(DocumentError) in
                        try documents.attributes(of: handle)
                    }
                    return runtime.array(count: attributes.count * 2) {
                        let attribute = attributes[$0 / 2]
                        return runtime.value($0.isMultiple(of: 2) ? attribute.name : attribute.value)
                    }
                }
            ),
            (
                "children",
                { arguments throws(NativeError) in
                    let children = try node(arguments) { handle throws(DocumentError) in
                        try documents.children(of: handle)
                    }
                    return runtime.array(count: children.count) { runtime.value(Double(children[$0].rawValue)) }
                }
            ),
            relative("parent") { handle throws(DocumentError) in try documents.parent(of: handle) },
            relative("firstElementChild") { handle throws(DocumentError) in
                try documents.firstElementChild(of: handle)
            },
            relative("lastElementChild") { handle throws(DocumentError) in
                try documents.lastElementChild(of: handle)
            },
            relative("nextElementSibling") { handle throws(DocumentError) in
                try documents.nextElementSibling(of: handle)
            },
            relative("previousElementSibling") { handle throws(DocumentError) in
                try documents.previousElementSibling(of: handle)
            },
        ]
    }

    private func text(
        _ name: String, _ read: @escaping (NodeHandle) throws(DocumentError) -> String?
    ) -> (String, NativeFunction.Body) {
        (name, { arguments throws(NativeError) in try node(arguments, read).map(runtime.value) ?? runtime.null })
    }

    private func relative(
        _ name: String, _ read: @escaping (NodeHandle) throws(DocumentError) -> NodeHandle?
    ) -> (String, NativeFunction.Body) {
        (
            name,
            { arguments throws(NativeError) in
                try node(arguments, read).map { runtime.value(Double($0.rawValue)) } ?? runtime.null
            }
        )
    }

    private func node<Value>(
        _ arguments: [JSValueRef], _ read: (NodeHandle) throws(DocumentError) -> Value
    ) throws(NativeError) -> Value {
        let handle = NodeHandle(rawValue: runtime.number(arguments.first).flatMap(Int.init(exactly:)) ?? -1)
        do throws(DocumentError) { return try read(handle) } catch { throw .message(error.message) }
    }

    private func value(of result: XPathResult) -> JSValueRef {
        switch result {
        case .string(let text): return runtime.value(text)
        case .number(let number): return runtime.value(number)
        case .boolean(let flag): return JSValueMakeBoolean(runtime.context, flag)
        case .nodes(let nodes):
            return runtime.array(count: nodes.count) { index in
                switch nodes[index] {
                case .node(let handle): runtime.value(Double(handle.rawValue))
                case .string(let text): runtime.value(text)
                }
            }
        }
    }
}
