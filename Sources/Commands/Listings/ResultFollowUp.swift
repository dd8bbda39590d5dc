import Glibc
import ImgScript

/// Opens or downloads results when they are listed.
struct ResultFollowUp {
    let context: AppContext
    let options: FollowUpOptions
    /// The profile of the settings, which downloads have, too.
    let profile: String?

    /// Whether results are wanted.
    var isWanted: Bool { options.open || options.select }

    /// Throws where something cannot be done; called before anything is listed.
    func check() throws {
        guard options.select else { return }
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw TerminalError(
                code: .noTerminal,
                message: "--select: not interactive (expected a terminal to ask and to be answered at)",
                hint: "imgscript search -f jsonl … | imgscript download - downloads all results")
        }
    }

    /// Opens the results' pages, and asks which of them to download.
    func run(on items: [Item]) async throws {
        if options.open { try open(items) }
        if options.select { try await select(from: items) }
    }

    // MARK: - Opening

    private func open(_ items: [Item]) throws {
        let pages = items.compactMap(\.page)
        let wanted = pages.prefix(options.pageLimit)
        for page in wanted { try PageOpening(environment: context.settings.environment).open(page) }
        var parts = ["opened \(wanted.count.counted("page"))"]
        if pages.count > wanted.count {
            parts.append("\((pages.count - wanted.count).grouped) more not opened (--open-limit opens more)")
        }
        if items.count > pages.count {
            parts.append("\((items.count - pages.count).counted("result")) without a page")
        }
        context.status.note(parts.joined(separator: "; "))
    }

    // MARK: - Selecting

    private func select(from items: [Item]) async throws {
        guard !items.isEmpty else { return }
        let places = try ask(about: items.count)
        guard !places.isEmpty else { return context.status.note("nothing to download") }
        try await download(places.map { items[$0] })
    }

    /// Asks until the answer is one.
    private func ask(about count: Int) throws -> [Int] {
        let expected = "\(SelectionAnswer.example(of: count)), all, none"
        while true {
            context.status.clear()
            let bytes = Array("Download which? (\(expected)) ".utf8)
            _ = write(STDERR_FILENO, bytes, bytes.count)
            guard let line = readLine(strippingNewline: true) else {
                // Where the input ends, as by Ctrl-D, the line has not.
                _ = write(STDERR_FILENO, "\n", 1)
                return []
            }
            do throws(SelectionAnswer.Fault) { return try SelectionAnswer(line, of: count).places } catch {
                context.status.error("\(error)")
            }
        }
    }

    private func download(_ items: [Item]) async throws {
        var words = ["download"] + (profile.map { ["--profile", $0] } ?? [])
        if let directory = options.directory { words += ["--directory", directory] }
        guard let command = try ImgScriptCommand.parsed(words) as? DownloadCommand else { return }
        let session = DownloadSession(
            context: context, source: .items(items), options: try command.downloadOptions(named: "images"),
            directory: command.files.directory, selection: command.selection, style: command.transfers.progress)
        if let reason = context.reasonToPlan {
            try await session.plan(because: reason)
        } else {
            try await session.download()
        }
    }
}

/// Shows pages in the user's browser.
struct PageOpening {
    let environment: [String: String]

    /// Opens a page; throws where nothing can show it.
    func open(_ page: WebURL) throws(TerminalError) {
        switch BrowserProgram.open(page, environment: environment) {
        case .opened: return
        case .noScreen:
            throw TerminalError(
                code: .noScreen,
                message: "could not open pages: there is no desktop (expected DISPLAY, WAYLAND_DISPLAY or BROWSER)",
                hint: "set BROWSER to the command of a browser")
        case .noProgram:
            throw TerminalError(
                code: .noProgram, message: "could not open pages: xdg-open is not installed (expected it in PATH)",
                hint: "apt install xdg-utils installs it; BROWSER names another program")
        }
    }
}
