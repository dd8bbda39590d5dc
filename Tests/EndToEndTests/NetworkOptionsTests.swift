import Foundation
import ImgScript
import TestSupport
import Testing

/// Proxy, timeouts, retries and contact, as options and as settings.
struct NetworkOptionsTests {
    private let home = TemporaryFolder()

    private func search(
        _ source: LoopbackSource, _ options: [String] = [], settings: String = "{}"
    ) throws -> CommandRun {
        let folder = "\(home.path)/.config/imgscript"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try settings.write(toFile: "\(folder)/config.json", atomically: true, encoding: .utf8)
        return try CommandRun(
            ["search", "-p", "loop", "--no-cache", "x"] + options + source.arguments, environment: ["HOME": home.path])
    }

    @Test(arguments: [(["--retries", "1"], "{}"), ([], #"{"retries": 1}"#), (["--retries", "1"], #"{"retries": 9}"#)])
    func requestIsSentAsOftenAsWanted(_ options: [String], _ settings: String) throws {
        let source = try LoopbackSource { _ in .answer(503, headers: [("Retry-After", "0")], text: "no") }
        let run = try search(source, options, settings: settings)
        #expect(run.status != 0)
        #expect(source.server.requests.count == 2, "\(run.errors)")
    }

    @Test func silentServerIsGivenUpAfterTheTimeout() throws {
        let source = try LoopbackSource { _ in .stalling() }
        let start = ContinuousClock.now
        let run = try search(source, ["--timeout", "0.5", "--retries", "0"])
        #expect(run.status != 0 && run.errors.contains("error: loop: "), "\(run.errors)")
        #expect(run.errors.contains("sent nothing for 0.5 seconds (the time limit for data)"), "\(run.errors)")
        #expect(run.errors.contains("hint: try again later; --timeout waits longer for data"), "\(run.errors)")
        // Without the options it takes over a minute.
        #expect(ContinuousClock.now - start < .seconds(15))
    }

    @Test func silentServerOfAFileIsAskedTwice() throws {
        let source = try LoopbackServer { _ in .stalling() }
        let address = "127.0.0.1:\(source.port)"
        let folder = TemporaryFolder()
        let run = try CommandRun(
            ["download", "http://\(address)/a.jpg", "--allow-host", address, "-d", folder.path, "--timeout", "0.3"],
            environment: ["HOME": home.path])
        #expect(run.status == 1 && source.requests.count == 2, "\(run.errors)")
        #expect(run.errors.contains("sent nothing for 0.3 seconds (the time limit for data)"), "\(run.errors)")
    }

    @Test(arguments: [("{}", ""), (#"{"contact": "anna@example.com"}"#, "; anna@example.com")])
    func userAgentHasProgramVersionHomepageAndContact(_ settings: String, _ contact: String) throws {
        let source = try LoopbackSource { _ in .answer(text: LoopbackSource.page(1...1, total: 1)) }
        let run = try search(source, settings: settings)
        #expect(run.status == 0, "\(run.errors)")
        let agent = try #require(source.server.requests.first?.header("User-Agent"))
        #expect(agent == "imgscript/\(ImageEngine.version) (+\(ImageEngine.homepage)\(contact))")
    }

    @Test func requestsGoThroughTheProxy() throws {
        let proxy = try LoopbackServer { _ in .answer(text: LoopbackSource.page(1...1, total: 1)) }
        let source = try LoopbackSource { _ in .answer(404, text: "past the proxy") }
        let address = "127.0.0.1:\(proxy.port)"
        let run = try search(source, ["--proxy", "http://\(address)", "--allow-host", address])
        #expect(run.status == 0, "\(run.errors)")
        #expect(proxy.requests.count == 1 && source.server.requests.isEmpty)
    }
}
