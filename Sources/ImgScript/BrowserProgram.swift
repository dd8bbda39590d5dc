import ProviderModel

/// The user's browser, or whatever shows web pages on the desktop.
package enum BrowserProgram {
    /// What came of opening a page.
    package enum Outcome: Sendable {
        case opened
        /// There is no desktop, and `BROWSER` names no program: `xdg-open` might start a browser in the terminal.
        case noScreen
        /// Neither `xdg-open` nor a program of `BROWSER` could be started.
        case noProgram
    }

    /// Shows a page and does not wait for the program; no shell reads the address.
    package static func open(_ page: WebURL, environment: [String: String]) -> Outcome {
        let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].contains { environment[$0]?.isEmpty == false }
        guard hasScreen else { return .noScreen }
        let variables = environment.map { "\($0)=\($1)" }
        for words in commands(for: page, environment["BROWSER"] ?? "")
        where ChildProgram.start(words, environment: variables) == 0 { return .opened }
        return .noProgram
    }

    /// Shows a folder in the desktop's file manager, and does not wait for it.
    package static func open(folder: String, environment: [String: String]) -> Outcome {
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
            return .noScreen
        }
        let variables = environment.map { "\($0)=\($1)" }
        return ChildProgram.start(["xdg-open", folder], environment: variables) == 0 ? .opened : .noProgram
    }

    /// The commands to try: those of `BROWSER` between colons, each with the address for `%s` or at its end, then `xdg-open`.
    package static func commands(for page: WebURL, _ browser: String) -> [[String]] {
        let named = browser.split(separator: ":").compactMap { command -> [String]? in
            let words = command.split(separator: " ").map(String.init)
            guard !words.isEmpty else { return nil }
            return words.contains { $0.contains("%s") }
                ? words.map { $0.replacing("%s", with: page.description) } : words + [page.description]
        }
        return named + [["xdg-open", page.description]]
    }
}
