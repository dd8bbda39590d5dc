import CJavaScriptCore

extension ScriptEnvironment {
    /// Uses once what opens a file or starts a thread when it is first used, which is refused later.
    ///
    /// Only that: `Intl`, for one, takes 6 ms to set up, finds all it needs in a library that is mapped already, and few
    /// scripts ask for it.
    func warmUp() {
        // The watchdog starts a thread and an event loop of its own when it is first armed.
        runtime.limitTime(to: 10)
        // The zone's file. What fails here fails again, with a place, when a script does it.
        _ = try? runtime.evaluate("new Date(0).getHours()", file: "[imgscript]/warm-up.js")
    }
}
