/// How many providers have been loaded, which takes seconds when each starts a process on a busy machine.
struct LoadingProgress {
    private let status: StatusLine
    private var lastNote: ContinuousClock.Instant

    /// Progress that begins now.
    init(on status: StatusLine, at start: ContinuousClock.Instant = .now) {
        self.status = status
        lastNote = start
    }

    /// Shows the count: on a terminal in place of the last, elsewhere as one line a second.
    mutating func show(_ loaded: Int, of count: Int, at moment: ContinuousClock.Instant = .now) {
        let text = "loading the providers: \(loaded) of \(count)"
        if status.terminal.canRewrite {
            if !status.isQuiet { status.showBelow([text]) }
        } else if moment - lastNote >= .seconds(1) {
            lastNote = moment
            status.note(text)
        }
    }

    /// Removes the count.
    func end() {
        if status.terminal.canRewrite { status.showBelow([]) }
    }
}
