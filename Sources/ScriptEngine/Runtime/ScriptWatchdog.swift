import CJavaScriptCore

/// The engine's own time limit, and what is known about the script that ran into it.
final class ScriptWatchdog {
    /// A limit that has passed.
    struct Expiry {
        /// The script's stack at that moment, where it could be had.
        var stack: String?
    }

    /// Set from the moment the limit passes until the next call into a script from outside.
    private(set) var expiry: Expiry?
    private let context: JSGlobalContextRef
    private var depth = 0

    init(context: JSGlobalContextRef) { self.context = context }

    /// Stops a script after so many seconds of running.
    func limitTime(to seconds: Double) {
        JSContextGroupSetExecutionTimeLimit(
            JSContextGetGroup(context), seconds,
            { _, watchdog in
                guard let watchdog else { return true }
                Unmanaged<ScriptWatchdog>.fromOpaque(watchdog).takeUnretainedValue().expire()
                return true
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Begins a call into a script; calls nest where a script's call leads to another.
    func enter() {
        if depth == 0 { (expiry, CrashReport.timeHasPassed) = (nil, false) }
        depth += 1
    }

    func leave() { depth -= 1 }

    /// Runs inside the stopped script, between two of its instructions.
    private func expire() {
        expiry = Expiry()
        CrashReport.timeHasPassed = true
        // The engine notes the stack when it makes an Error; no script code runs for it, here or in reading it.
        let error = JSObjectMakeError(context, 0, nil, nil)
        guard let error, let stack = ScriptText("stack").use({ JSObjectGetProperty(context, error, $0, nil) }),
            JSValueIsString(context, stack), let text = JSValueToStringCopy(context, stack, nil)
        else { return }
        expiry?.stack = ScriptText(owning: text).string
    }
}
