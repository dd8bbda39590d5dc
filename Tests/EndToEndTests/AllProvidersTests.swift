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

    /// `make sources` writes the table.
    @Test func tableOfSourcesIsTheOneThatTheCommandPrints() throws {
        let folder = TemporaryFolder()
        let providers = Documentation.root.appending(path: "providers").path
        let run = try CommandRun(
            ["providers", "--format", "markdown", "--providers-folder", providers], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let rows = run.output.split(separator: "\n")
        let documented = try Documentation.text(of: "docs/sources.md").split(separator: "\n")
        let start = try #require(documented.firstIndex { $0.hasPrefix("| source | `-p` |") })
        #expect(rows.count > 60)
        #expect(Array(documented[start...].prefix(rows.count)) == rows, "run make sources")
        #expect(documented[start...].dropFirst(rows.count).first?.hasPrefix("|") == false, "run make sources")
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
