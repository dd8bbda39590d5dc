import ImgScript
import TestSupport
import Testing

@Suite("All providers are those that can be asked as things are")
struct AllProvidersTests {
    private func source() throws -> LoopbackSource {
        let source = try LoopbackSource { _ in .answer(text: LoopbackSource.page(1...3, total: 3)) }
        let text = LoopbackSource.provider("keyed", port: source.server.port, auth: "auth: { type: 'bearer' },")
        try source.add("keyed", text)
        try source.add("server", LoopbackSource.provider("server", port: 1, auth: "instance: {},"))
        try source.add("lists", LoopbackSource.provider("lists", port: 1).replacing("search:", with: "feed:"))
        return source
    }

    private func engine(_ source: LoopbackSource) throws -> ImageEngine {
        var settings = ImageEngine.Configuration(environment: ["HOME": source.folder.path])
        settings.worker = BuiltWorker.path
        settings.providerFolders = [source.folder.path]
        settings.allowedHosts = ["127.0.0.1:\(source.server.port)"]
        return try ImageEngine(settings)
    }

    @Test func thoseThatCannotBeAskedAreSkippedWithTheirReason() async throws {
        let source = try source()
        let engine = try engine(source)
        var images: [String] = []
        var skipped: [String: EngineError.SkipReason] = [:]
        for await event in engine.events(of: .search("x"), in: ["all"]) {
            switch event {
            case .image(let item): images.append("\(item.provider):\(item.id)")
            case .failure(let name, let error):
                if case .skipped(let reason) = (error as? EngineError)?.code { skipped[name] = reason }
            default: break
            }
        }
        #expect(images == ["loop:1", "loop:2", "loop:3"])
        #expect(skipped == ["keyed": .key, "server": .instance, "lists": .operation])
        await engine.shutdown()
    }

    /// `docs/sources.md` is written by hand, and held to the manifests.
    @Test func tableOfSourcesHasWhatEachManifestSays() async throws {
        let folder = TemporaryFolder()
        var settings = ImageEngine.Configuration(environment: ["HOME": folder.path])
        settings.worker = BuiltWorker.path
        settings.providerFolders = [Documentation.root.appending(path: "providers").path]
        let engine = try ImageEngine(settings)
        var rows: [String: (operations: Set<String>, key: String)] = [:]
        for line in try Documentation.text(of: "docs/sources.md").split(separator: "\n") where line.hasPrefix("| [") {
            let cells = line.split(separator: "|").map { $0.trimmingPrefix(" ") }
            let id = String(cells[1].filter { $0 != "`" && $0 != " " })
            let operations = cells[2].split(separator: ",").map { String($0.filter { $0 != " " }) }
            rows[id] = (Set(operations), String(cells[3].prefix { $0.isLetter || $0 == "–" }))
        }
        let providers = await engine.listProviders()
        await engine.shutdown()
        #expect(rows.keys.sorted() == providers.map(\.id.description).sorted())
        for provider in providers {
            let manifest = try provider.manifest.get()
            let row = try #require(rows[provider.id.description])
            let operations = manifest.operations.map(\.operation.rawValue).filter { $0 != "session" }
            #expect(row.operations == Set(operations), "\(provider.id)")
            let key = manifest.needsKey ? "needed" : manifest.authentication.isEmpty ? "–" : "optional"
            #expect(row.key == key, "\(provider.id)")
        }
    }

    @Test func whereThereIsNoneAtAllThatIsReported() throws {
        let folder = TemporaryFolder()
        for command in [["search", "x"], ["feed"], ["download", "x"]] {
            let run = try CommandRun(command + ["-p", "all", "--providers-folder", folder.path], in: folder.path)
            #expect(run.status == 64, "\(command): \(run.output)")
            #expect(run.errors.contains("error: no providers found in \(folder.path)"), "\(run.errors)")
        }
    }

    @Test func thoseThatDoNotLookAroundAPointAreSkippedWhenOneIsNamed() async throws {
        let source = try source()
        let local = LoopbackSource.provider("local", port: source.server.port)
        try source.add("local", local.replacing("search: {", with: "search: { near: true,"))
        let engine = try engine(source)
        var options = SearchOptions()
        options.near = ProviderQuery.Point(latitude: 52.52, longitude: 13.4)
        var asked: Set<String> = []
        var skipped: Set<String> = []
        for await event in engine.events(of: .search("x"), in: ["all"], options) {
            if case .image(let item) = event { asked.insert(item.provider.description) }
            if case .failure(let name, let error as EngineError) = event, error.code == .skipped(.near) {
                skipped.insert(name)
            }
        }
        #expect(asked == ["local"] && skipped == ["loop"])
        await engine.shutdown()
    }

    @Test func oneThatIsNamedFailsInstead() async throws {
        let source = try source()
        let engine = try engine(source)
        var codes: [ProviderError.Code?] = []
        for await event in engine.events(of: .search("x"), in: ["all", "keyed"]) {
            if case .failure("keyed", let error) = event { codes.append((error as? ProviderError)?.code) }
        }
        #expect(codes == [.auth])
        await engine.shutdown()
        withExtendedLifetime(source) {}
    }
}
