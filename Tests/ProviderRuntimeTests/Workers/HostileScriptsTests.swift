import Glibc
import ProviderModel
import TestSupport
import Testing
import WorkerProtocol

@testable import ProviderRuntime

@Suite("Hostile scripts end in one clear error", .serialized)
struct HostileScriptsTests {
    @Test(arguments: HostileScript.endless)
    func endlessScriptIsStoppedInTime(_ script: HostileScript) async throws {
        try await HostileScriptCheck(deadline: ScriptPace.deadline()).run(script)
    }

    @Test(arguments: HostileScript.wrongResults)
    func wrongResultIsReportedWithItsPlace(_ script: HostileScript) async throws {
        try await HostileScriptCheck().run(script)
    }

    @Test(arguments: HostileScript.thrown)
    func exceptionIsReportedWithItsPlace(_ script: HostileScript) async throws {
        try await HostileScriptCheck().run(script)
    }

    @Test(arguments: HostileScript.escapes)
    func wayOutIsClosed(_ script: HostileScript) async throws {
        try await HostileScriptCheck().run(script)
    }

    @Test(arguments: HostileScript.brokenFiles)
    func brokenFileIsReportedWithItsPlace(_ script: HostileScript) async throws {
        try await HostileScriptCheck().run(script)
    }

    @Test(arguments: HostileScript.greedy)
    func greedyScriptIsStoppedAtItsMemory(_ script: HostileScript) async throws {
        try await HostileScriptCheck(memory: 128).run(script)
    }
}

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

@Suite("The memory limit is a hard one", .serialized)
struct MemoryLimitTests {
    @Test(arguments: HostileScript.greedy)
    func workerNeverHoldsMuchMoreThanItsLimit(_ script: HostileScript) throws {
        let limit = 128
        let worker = try ReadyWorker(memory: limit)
        let base = ProcessMemory.residentMegabytes(of: "\(worker.id)")
        try worker.send(.load(file: "hostile.js", source: script.source, limits: WorkerLimits()))
        if script.action != nil {
            _ = try worker.receive()
            try worker.send(.call(run: 1, EncodedCall(.search(.init(text: "x")))))
            _ = try worker.receive()
            try worker.send(.responses(run: 1, [.init(status: 200, url: .init("https://example.com/"))]))
        }
        var peak = 0
        while !worker.hasAnswered { peak = max(peak, worker.peakMegabytes) }
        #expect(peak <= limit + base + 16, "\(peak) MB, \(base) MB of which before the script")
        worker.end()
    }
}
