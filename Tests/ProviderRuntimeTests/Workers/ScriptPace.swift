import ProviderRuntime
import TestSupport

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
