import CJavaScriptCore
import ProviderModel
import WorkerProtocol

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

    /// Goes through an answer of its own while the first real one is on its way: what reads and checks that one is compiled
    /// then, and its code is in memory. A start spends a third of a page's time on it otherwise.
    ///
    /// Nothing of the script runs, and nothing stays.
    /// Returns whether all went through; what cannot be made ready now is made when it is needed.
    @discardableResult
    func rehearse(_ limits: WorkerLimits) -> Bool {
        guard let url = try? WebURL("https://images.example/") else { return false }
        let number = responses.add(ProviderResponse(status: 200, url: url, body: Array(Self.rehearsedPage.utf8)))
        defer { responses.removeAll() }
        guard
            let response = try? runtime.call(
                prelude.response, [.number(Double(number)), .number(200), .text(url.description), .text("[]")]),
            let page = try? runtime.property("json", of: response)
        else { return false }
        let reader = OperationResultReader(call: .search(ProviderQuery()), environment: self, limits: limits)
        return (try? reader.result(from: page)) != nil
    }

    private static let rehearsedPage = """
        {"total": 1, "items": [{"id": "1", "type": "image", "title": "A", "page": "https://images.example/1", "tags": ["a"], \
        "author": {"name": "B"}, "media": [{"role": "large", "url": "https://images.example/1.jpg", "width": 2, "height": 1}]}]}
        """
}
