import Foundation
import TestSupport
import Testing

/// Groups of providers, and those that are asked when none is named.
struct ProviderGroupTests {
    private let home = TemporaryFolder()

    private func search(_ settings: String, _ options: [String] = []) throws -> CommandRun {
        let source = try LoopbackSource { _ in .answer(text: LoopbackSource.page(1...1, total: 1)) }
        try source.add("other", LoopbackSource.provider("other", port: source.server.port))
        try source.add(
            "keyed",
            LoopbackSource.provider("keyed", port: source.server.port, auth: "auth: { type: 'bearer' },"))
        let folder = "\(home.path)/.config/imgscript"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try settings.write(toFile: "\(folder)/config.json", atomically: true, encoding: .utf8)
        return try CommandRun(
            ["search", "x", "--no-cache", "-f", "{provider}"] + options + source.arguments,
            environment: ["HOME": home.path])
    }

    private func providers(_ run: CommandRun) -> [String] {
        run.output.split(separator: "\n").map(String.init).sorted()
    }

    @Test(arguments: [
        (["-p", "@both"], ["loop", "other"]), (["-p", "@nested"], ["loop", "other"]),
        (["-p", "@round"], ["other"]), (["-p", "@both", "-p", "loop"], ["loop", "other"]), ([], ["other"]),
    ])
    func groupStandsForItsMembers(_ options: [String], _ expected: [String]) throws {
        let settings = #"""
            {"default-provider": "other", "group": {"both": ["loop", "other"], "nested": ["@both"], "round": ["@round", "other"]}}
            """#
        let run = try search(settings, options)
        #expect(run.status == 0, "\(run.errors)")
        #expect(providers(run) == expected, "\(run.errors)")
    }

    @Test func memberWithoutItsKeyIsSkipped() throws {
        let settings = #"{"default-provider": ["@some"], "group": {"some": ["loop", "keyed"]}}"#
        for options in [[], ["-p", "@some"]] {
            let run = try search(settings, options)
            #expect(run.status == 0, "\(run.errors)")
            #expect(providers(run) == ["loop"])
            #expect(run.errors.contains("keyed"), "\(run.errors)")
        }
        #expect(try search(settings, ["-p", "@some", "-p", "keyed"]).status == 2)
    }

    @Test func unknownGroupNamesTheNearest() throws {
        let run = try search(#"{"group": {"museums": ["loop"]}}"#, ["-p", "@museum"])
        #expect(run.status != 0)
        #expect(run.errors.contains(#"unknown group "@museum"; did you mean "@museums"?"#), "\(run.errors)")
        #expect(run.errors.contains("hint: imgscript config set group."), "\(run.errors)")
    }
}
