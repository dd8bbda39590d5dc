import CJavaScriptCore

extension ScriptEnvironment {
    /// Uses once what the engine sets up on first use, so that it needs nothing from outside later.
    func warmUp() {
        // The watchdog starts a thread and an event loop of its own when it is first armed.
        runtime.limitTime(to: 10)
        _ = try? runtime.evaluate(  // what fails here fails again, with a place, when a script does it
            """
            (() => { new Date(0).toLocaleString('en'); new Intl.Collator('de').compare('a', 'b'); /(a+)b/u.exec('aab');
              JSON.parse('{"a":[1,"x"]}'); [..."äb"].sort(); "x".normalize('NFC'); })()
            """, file: "[imgscript]/warm-up.js")
    }
}
