import CJavaScriptCore

extension ScriptEnvironment {
    /// Uses once what opens a file or starts a thread when it is first used, which is refused later.
    ///
    /// Only that: `Intl`, for one, takes 6 ms to set up, finds all it needs in a library that is mapped already, and few
    /// scripts ask for it; so it is with the zone of local times.
    func warmUp() {
        // The watchdog starts a thread and an event loop of its own when it is first armed. While its timer is set for a
        // moment before a script's next look, it is not set again: it looks at what is left when it goes off.
        runtime.limitTime(to: .milliseconds(timeLimit))
        _ = try? runtime.evaluate("0", file: "[imgscript]/warm-up.js")  // too short to fail
    }
}
