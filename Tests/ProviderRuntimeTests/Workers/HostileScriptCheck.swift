import ProviderModel
import ProviderRuntime
import TestSupport
import Testing
import WorkerProtocol

/// Runs a hostile script through a real worker, and looks at all that may go wrong around it.
struct HostileScriptCheck {
    var settings: WorkerSettings

    /// A check of a script that ends by itself, unless it is stopped after `deadline`.
    init(deadline: Duration? = nil, memory: Int = 256) {
        settings = .patient
        if let deadline { settings.deadline = deadline }
        settings.memory = memory
    }

    /// Expects the script's one error in time, and everything else unharmed.
    func run(_ script: HostileScript) async throws {
        let pool = WorkerPool(settings: settings)
        let calm = try await ScriptUnderTest(Self.calm, as: "calm", in: pool)
        let memoryBefore = ProcessMemory.residentMegabytes()

        let clock = ContinuousClock()
        let hostile: ScriptUnderTest
        do {
            hostile = try await ScriptUnderTest(script.source, as: "hostile", in: pool)
        } catch let error as ProviderError where script.action == nil {
            // Again, in a new worker: the same error, as if nothing had happened.
            let start = clock.now
            let again = await #expect(throws: ProviderError.self) {
                try await ScriptUnderTest(script.source, as: "hostile", in: pool)
            }
            #expect(clock.now - start < settings.deadline + TimeTolerance.default + Self.start)
            expect(error, of: script, isPlaceOfOperation: error.code == .timeout && error.location?.line == 0)
            #expect(again?.code == error.code)
            try await calm.expectFeed()
            await pool.close()
            return
        }
        let start = clock.now
        let error = await #expect(throws: ProviderError.self) { try await hostile.search() }
        #expect(clock.now - start < settings.deadline + TimeTolerance.default)
        if let error {
            // On a busy machine the host may be first, which knows the places of operations only.
            let description = hostile.manifest.description(of: .search)
            let places = [description?.location, description?.requestLocation]
            expect(error, of: script, isPlaceOfOperation: error.code == .timeout && places.contains(error.location))
        }
        try await hostile.expectFeed()
        try await calm.expectFeed()
        #expect(ProcessMemory.residentMegabytes() - memoryBefore < 48, "the host grew")
        await pool.close()
    }

    private func expect(_ error: ProviderError, of script: HostileScript, isPlaceOfOperation: Bool = false) {
        #expect(error.code == script.code)
        if error.code == .timeout {
            #expect(error.message == ScriptLimit.time(milliseconds: settings.deadline.milliseconds).message)
        }
        #expect(error.provider == "hostile")
        #expect(error.location?.file == "hostile.js")
        #expect(
            [error.operation?.rawValue, error.phase].compactMap(\.self).joined(separator: ".") == script.action ?? "")
        if let place = script.place, !isPlaceOfOperation {
            #expect(error.location?.description == "hostile.js:\(place)")
        }
        #expect(error.path == script.path)
        for text in script.says { #expect(error.message.contains(text)) }
        #expect(error.message.utf8.count < 2_500 && !error.message.contains("\n"))
    }

    /// What a worker may take to start before the script's own time begins.
    private static let start = Duration.milliseconds(250)

    private static let calm = HostileScript.file(
        search: "{ request: () => ({ url: 'https://example.com/' }), parse: () => ({ items: [] }) }")
}

/// A provider in a pool, with answers made up for it.
struct ScriptUnderTest {
    private let pool: WorkerPool
    private let source: ScriptSource
    private let provider: String
    let manifest: ProviderManifest

    init(_ text: String, as provider: String, in pool: WorkerPool) async throws {
        try await self.init(ScriptSource(file: "\(provider).js", text: text), as: provider, in: pool)
    }

    init(_ source: ScriptSource, as provider: String, in pool: WorkerPool) async throws {
        self.pool = pool
        self.source = source
        self.provider = provider
        manifest = try await pool.load(source, as: provider)
    }

    /// The same script in another pool, where it was not evaluated.
    func elsewhere(in pool: WorkerPool) -> ScriptUnderTest { ScriptUnderTest(self, in: pool) }

    private init(_ other: ScriptUnderTest, in pool: WorkerPool) {
        (self.pool, source, provider, manifest) = (pool, other.source, other.provider, other.manifest)
    }

    /// Searches; every request is answered with `body`.
    @discardableResult
    func search(_ text: String = "coffee", body: String = #"{"hits":[]}"#, type: String = "application/json")
        async throws -> Page
    {
        try await search(text, body: Array(body.utf8), type: type)
    }

    /// Searches; every request is answered with these bytes.
    func search(_ text: String = "coffee", body: [UInt8], type: String) async throws -> Page {
        try await page(.search(ProviderQuery(text: text)), body: body, type: type)
    }

    /// Expects that the provider's feed still works.
    func expectFeed() async throws {
        let page = try await page(.feed(ProviderQuery()), body: Array("{}".utf8), type: "application/json")
        #expect(page.items.count == 1)
    }

    private func page(_ call: OperationCall, body: [UInt8], type: String) async throws -> Page {
        let result = try await pool.run(EncodedCall(call), of: source, as: provider, manifest: manifest) { requests in
            requests.map {
                ProviderResponse(
                    status: 200, url: $0.url, headers: [NamedValue("Content-Type", type)], body: body)
            }
        }
        guard case .page(let page) = result.result else {
            throw ProviderError(.result, provider: provider, message: "no page")
        }
        return page
    }
}

/// How fast this machine is just now, for tests of scripts that are to be stopped.
enum ScriptPace {
    /// A deadline that only a script without end passes: `least`, and more where a worker is long about a small file.
    static func deadline(atLeast least: Duration = .milliseconds(300)) async throws -> Duration {
        let start = ContinuousClock.now
        let pool = WorkerPool(settings: .patient)
        try await ScriptUnderTest(file, as: "calm", in: pool).search()
        let taken = ContinuousClock.now - start
        await pool.close()
        return max(least, taken * 5)
    }

    private static let file = HostileScript.file(
        search: "{ request: () => ({ url: 'https://example.com/' }), parse: () => ({ items: [] }) }")
}

extension WorkerSettings {
    /// The built worker with all the time that a busy machine may need.
    static var patient: WorkerSettings {
        var settings = WorkerSettings(executable: BuiltWorker.path)
        settings.deadline = .seconds(60)
        return settings
    }
}
