import ProviderModel
import ProviderRuntime
import TestSupport
import Testing

/// A provider file that does what it should not, and the one error it has to end in.
struct HostileScript: Sendable, CustomTestStringConvertible {
    var name: String
    var source: String
    var code: ProviderError.Code
    /// What has to stand in the message.
    var says: [String]
    /// Line and column in `hostile.js`; nil where only the file can be known.
    var place: String?
    /// The JSON path of a violation.
    var path: String?
    /// The part of the operation that fails; nil when the file cannot even be loaded.
    var action: String?

    var testDescription: String { name }

    /// The body of `parse`, which begins in line 5, column 23.
    static func parse(
        _ name: String, _ body: String, _ code: ProviderError.Code, _ says: String..., at place: String? = nil,
        path: String? = nil
    ) -> Self {
        let source = file(
            search: "{ request: () => ({ url: 'https://example.com/' }),\n  parse: (response, q) => { \(body) } }")
        return Self(
            name: name, source: source, code: code, says: says, place: place, path: path, action: "search.parse")
    }

    /// What `parse` returns.
    static func result(_ name: String, _ value: String, _ says: String..., path: String? = nil) -> Self {
        var script = parse(name, "return \(value);", .result, at: "5:10", path: path)
        script.says = says
        return script
    }

    /// An item's fields beside those it needs.
    static func item(_ name: String, _ fields: String, _ says: String..., path: String) -> Self {
        var script = parse(name, "return { items: [item({ \(fields) })] };", .result, at: "5:10", path: path)
        script.says = says
        return script
    }

    /// The body of `request`, in line 4.
    static func request(
        _ name: String, _ body: String, _ code: ProviderError.Code, _ says: String..., at place: String? = nil,
        path: String? = nil
    ) -> Self {
        let source = file(search: "{ request: (q) => { \(body) },\n  parse: () => ({ items: [] }) }")
        return Self(
            name: name, source: source, code: code, says: says, place: place, path: path, action: "search.request")
    }

    /// The body of a generator, in line 4.
    static func generator(
        _ name: String, _ body: String, _ code: ProviderError.Code, _ says: String..., at place: String? = nil,
        path: String? = nil
    ) -> Self {
        let source = file(search: "function* (q) { \(body) }")
        return Self(name: name, source: source, code: code, says: says, place: place, path: path, action: "search")
    }

    /// An operation in any form, in line 4.
    static func operation(
        _ name: String, _ text: String, _ code: ProviderError.Code, _ says: String..., at place: String? = nil
    ) -> Self {
        Self(name: name, source: file(search: text), code: code, says: says, place: place, action: "search")
    }

    /// A whole file, which fails while it is loaded.
    static func file(
        _ name: String, _ source: String, _ code: ProviderError.Code, _ says: String..., at place: String? = nil,
        path: String? = nil
    ) -> Self {
        Self(name: name, source: source, code: code, says: says, place: place, path: path, action: nil)
    }

    /// A provider with that search, a well-behaved feed, `item` for making items, and `load` for `require`.
    static func file(search: String) -> String {
        """
        module.exports = {
          contract: 1, id: 'hostile', name: 'Hostile', version: '1.0.0', hosts: ['example.com'], mediaHosts: ['*'],
          feed: { request: () => ({ url: 'https://example.com/' }), parse: () => ({ items: [item({})] }) },
          search: \(search),
        };
        const item = (fields) => ({ id: '1', type: 'image', media: [], ...fields });
        const load = require;
        const helpers = require('imgscript');
        """
    }
}
