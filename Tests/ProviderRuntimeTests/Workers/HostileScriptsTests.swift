import Testing

@Suite("Hostile scripts end in one clear error", .serialized)
struct HostileScriptsTests {
    @Test(arguments: HostileScript.endless)
    func endlessScriptIsStoppedInTime(_ script: HostileScript) async throws {
        try await HostileScriptCheck(deadline: ScriptPace.deadline()).run(script)
    }

    @Test(arguments: HostileScript.wrongResults)
    func wrongResultIsToldWithItsPlace(_ script: HostileScript) async throws {
        try await HostileScriptCheck().run(script)
    }

    @Test(arguments: HostileScript.thrown)
    func exceptionIsToldWithItsPlace(_ script: HostileScript) async throws {
        try await HostileScriptCheck().run(script)
    }

    @Test(arguments: HostileScript.escapes)
    func wayOutIsClosed(_ script: HostileScript) async throws {
        try await HostileScriptCheck().run(script)
    }

    @Test(arguments: HostileScript.brokenFiles)
    func brokenFileIsToldWithItsPlace(_ script: HostileScript) async throws {
        try await HostileScriptCheck().run(script)
    }

    @Test(arguments: HostileScript.greedy)
    func greedyScriptIsStoppedAtItsMemory(_ script: HostileScript) async throws {
        try await HostileScriptCheck(memory: 128).run(script)
    }
}
