import Dispatch
import Glibc
import Synchronization

/// Whether keys can be read one by one.
enum TerminalInput {
    /// Throws where the standard input or output is no terminal, or one that can only print.
    static func check(_ terminal: Terminal, for what: String) throws(TerminalError) {
        guard isatty(STDIN_FILENO) == 1 else {
            throw TerminalError(
                code: .noTerminal, message: "\(what) needs a terminal for its input",
                hint: "imgscript search lists results, imgscript gallery shows them in the browser")
        }
        try TerminalError.check(
            terminal, for: what,
            otherwise: "imgscript search lists results, imgscript gallery shows them in the browser")
    }
}

/// The terminal while the whole screen is drawn: keys come one by one, and everything is put back whatever ends the program.
///
/// `@unchecked Sendable`: the sources and the decoder are touched on the queue alone.
final class ScreenTerminal: @unchecked Sendable {
    private let input: Int32
    private let output: Int32
    private let queue = DispatchQueue(label: "imgscript.terminal")
    private let former: Mutex<termios?>
    private var sources: [any DispatchSourceProtocol] = []
    private var decoder = KeyDecoder()
    /// Counts what has come, so that a wait for more of a key ends only if none has.
    private var arrivals = 0

    /// How long the rest of a key's sequence may take; what comes later is another key.
    private static let sequenceTime = DispatchTimeInterval.milliseconds(60)
    /// The alternate screen, without a cursor and without wrapping at the end of a line.
    private static let entering = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[2J"
    private static let leaving = "\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

    /// The terminal behind two descriptors.
    init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
        self.input = input
        self.output = output
        former = Mutex(nil)
    }

    /// The cells of the screen.
    var size: CellSize {
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return CellSize(columns: 80, rows: 24)
        }
        return CellSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Takes the screen and the keys.
    func enter() {
        former.withLock { former in
            guard former == nil else { return }
            var modes = termios()
            guard tcgetattr(input, &modes) == 0 else { return }
            former = modes
            cfmakeraw(&modes)
            // A line feed still goes to the beginning of the next line: what others write stays readable.
            modes.c_oflag |= tcflag_t(OPOST)
            tcsetattr(input, TCSAFLUSH, &modes)
            write(Self.entering)
        }
    }

    /// Gives both back; again and from any thread, too.
    func leave() {
        former.withLock { former in
            guard var modes = former.take() else { return }
            write(Self.leaving)
            tcsetattr(input, TCSAFLUSH, &modes)
        }
    }

    /// Writes what is to be drawn.
    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var request = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                _ = poll(&request, 1, -1)
            } else if errno != EINTR {
                // The terminal has gone; so does the program, by SIGHUP.
                return
            }
        }
    }

    // MARK: - Keys and signals

    /// Calls back for each key and for each change of size until ``stop()``; signals that end the program end it with the screen
    /// put back.
    func start(_ event: @escaping @Sendable (BrowseEvent) -> Void) {
        let keys = DispatchSource.makeReadSource(fileDescriptor: input, queue: queue)
        keys.setEventHandler { [unowned self] in read(event) }
        keys.resume()
        sources = [keys]
        let registered = DispatchGroup()
        on(SIGWINCH, registered) { [unowned self] in event(.resized(size)) }
        on(SIGTSTP, registered) { event(.key(.control("z"))) }
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            on(number, registered) { [unowned self] in
                leave()
                _exit(128 + number)
            }
        }
        registered.wait()
    }

    /// Ends the calls.
    func stop() {
        queue.sync {
            for source in sources { source.cancel() }
            sources = []
        }
        for number in [SIGWINCH, SIGTSTP, SIGTERM, SIGHUP, SIGQUIT] { signal(number, SIG_DFL) }
        signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
    }

    /// Stops the process as Ctrl-Z does in a shell, and goes on where the shell has it go on.
    func suspend() {
        leave()
        var stop = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        var blocked = sigset_t()
        var handler = sigaction()
        sigaction(SIGTSTP, nil, &handler)
        signal(SIGTSTP, SIG_DFL)
        pthread_sigmask(SIG_UNBLOCK, &stop, &blocked)
        // To this thread: it stops the process before this returns, where a shell is there to go on.
        raise(SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
        sigaction(SIGTSTP, &handler, nil)
        enter()
    }

    private func on(_ number: Int32, _ registered: DispatchGroup, _ handler: @escaping @Sendable () -> Void) {
        registered.enter()
        // Dispatch installs a handler of its own.
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setRegistrationHandler { registered.leave() }
        source.setEventHandler(handler: handler)
        source.resume()
        sources.append(source)
    }

    private func read(_ event: @escaping @Sendable (BrowseEvent) -> Void) {
        // What the source saw may have been read or discarded since, and no wait may hold up the queue.
        var request = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 0) > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = Glibc.read(input, &buffer, buffer.count)
        guard count > 0 else {
            if count < 0, errno == EINTR || errno == EAGAIN { return }
            // The terminal has gone.
            leave()
            _exit(128 + SIGHUP)
        }
        for key in decoder.decode(Array(buffer[..<count])) { event(.key(key)) }
        arrivals += 1
        guard decoder.isWaiting else { return }
        let arrival = arrivals
        queue.asyncAfter(deadline: .now() + Self.sequenceTime) { [weak self] in
            guard let self, arrivals == arrival else { return }
            for key in decoder.flush() { event(.key(key)) }
        }
    }
}
