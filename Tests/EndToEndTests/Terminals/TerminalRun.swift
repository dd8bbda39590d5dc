import Foundation
import Glibc
import TestSupport

/// A run of a program on a terminal of its own, at which the test types and looks.
final class TerminalRun {
    /// What was awaited and did not come.
    struct Missing: Error, CustomStringConvertible {
        let awaited: String
        let screen: String
        var description: String { "\(awaited) did not come; the screen:\n\(screen)" }
    }

    /// How long anything may take to be seen.
    private static let patience = Duration.seconds(30)
    /// A session of its own: glibc's `<spawn.h>` has it as a macro that Swift does not see.
    private static let newSession: Int16 = 0x80
    /// TIOCSPTLCK and TIOCGPTN of `<asm-generic/ioctls.h>`, which are such macros, too.
    private static let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    /// The program's home, for what it writes.
    let home: TemporaryFolder
    private(set) var screen: TerminalScreen
    /// All that was written to the terminal.
    private(set) var written = ""
    let id: pid_t
    private let terminal: Int32
    private var status: Int32?
    private var undecoded: [UInt8] = []

    /// Starts the built program, or another, on a terminal of this size.
    init(
        _ arguments: [String], columns: Int = 80, rows: Int = 24, executable: String? = nil, in folder: String? = nil,
        home: TemporaryFolder = TemporaryFolder(), environment: [String: String] = [:]
    ) throws {
        self.home = home
        screen = TerminalScreen(columns: columns, rows: rows)
        let program = executable ?? BuiltExecutable.path(of: "imgscript")
        let variables = [
            "HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
        ].merging(environment) { $1 }
        (terminal, id) = try Self.spawn(
            [program] + arguments, variables, (columns, rows), folder ?? Documentation.root.path)
    }

    // A test that fails on its way leaves no process behind.
    deinit {
        if status == nil {
            kill(-id, SIGKILL)
            while waitpid(id, nil, 0) < 0, errno == EINTR {}
        }
        close(terminal)
    }

    /// Types text.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(terminal, bytes, bytes.count)
    }

    /// Gives the terminal another size, of which the program is told.
    func resize(columns: Int, rows: Int) {
        screen.resize(columns: columns, rows: rows)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    /// Waits until the screen has a text.
    func wait(for text: String) throws { try wait(for: text) { $0.text.contains(text) } }

    /// Waits until the screen, with the last frame whole, is as it should be.
    func wait(for what: String, until isThere: (TerminalScreen) -> Bool) throws {
        let end = ContinuousClock.now + Self.patience
        while screen.isUpdating || !isThere(screen) {
            guard read(until: end) else {
                throw Missing(awaited: what, screen: "\(screen.text)\n\(written.suffix(400).debugDescription)")
            }
        }
    }

    /// Waits for the end; the exit code, or 128 and the number of the signal, as shells have it.
    func end() throws -> Int32 {
        let end = ContinuousClock.now + Self.patience
        while read(until: end) {}
        guard ContinuousClock.now < end else { throw Missing(awaited: "the end", screen: screen.text) }
        var found: Int32 = 0
        while waitpid(id, &found, 0) < 0, errno == EINTR {}
        let code = found & 0x7f == 0 ? found >> 8 & 0xff : 128 + found & 0x7f
        status = code
        return code
    }

    /// Whether what is typed is shown and read line by line, as a shell wants it.
    var isLineByLine: Bool {
        var modes = termios()
        guard tcgetattr(terminal, &modes) == 0 else { return false }
        let wanted = tcflag_t(ICANON | ECHO | ISIG)
        return modes.c_lflag & wanted == wanted && modes.c_iflag & tcflag_t(ICRNL) != 0
    }

    /// Whether the terminal is as it was before a full screen: the first screen, a cursor, and its modes.
    var isRestored: Bool { !screen.isAlternate && screen.isCursorVisible && isLineByLine }

    /// Takes what is written next; false at the end, and when that takes too long.
    private func read(until end: ContinuousClock.Instant) -> Bool {
        let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
        var request = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        guard left > 0, poll(&request, 1, Int32(left)) > 0 else { return false }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(terminal, &chunk, chunk.count)
        // EIO: nobody has the terminal open any more.
        guard count > 0 else { return false }
        undecoded += chunk[..<count]
        // A character may be cut.
        let whole = undecoded.count - (undecoded.suffix(3).lastIndex { $0 >= 0xc0 }.map { undecoded.count - $0 } ?? 0)
        let isCut = String(validating: undecoded, as: UTF8.self) == nil
        let text = String(decoding: isCut ? undecoded[..<whole] : undecoded[...], as: UTF8.self)
        undecoded = isCut ? Array(undecoded[whole...]) : []
        written += text
        screen.write(text)
        return true
    }

    private static func spawn(
        _ words: [String], _ variables: [String: String], _ cells: (columns: Int, rows: Int), _ folder: String
    ) throws -> (terminal: Int32, id: pid_t) {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (number, locked): (Int32, Int32) = (0, 0)
        guard terminal >= 0, ioctl(terminal, unlock, &locked) == 0, ioctl(terminal, getNumber, &number) == 0 else {
            throw Missing(awaited: "a terminal", screen: String(cString: strerror(errno)))
        }
        var size = winsize(
            ws_row: UInt16(cells.rows), ws_col: UInt16(cells.columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a session opens is the session's.
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/pts/\(number)", O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        var arguments = (["/usr/bin/env", "-C", folder] + words).map { strdup($0) } + [nil]
        var environment = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in arguments + environment { free(pointer) } }
        var id = pid_t()
        let code = posix_spawn(&id, "/usr/bin/env", &actions, &attributes, &arguments, &environment)
        guard code == 0 else {
            close(terminal)
            throw Missing(awaited: words[0], screen: String(cString: strerror(code)))
        }
        return (terminal, id)
    }
}
