import CSystemCalls
import Dispatch
import Glibc

/// A program of the system, run to its end with its output collected.
package enum ChildProgram {
    /// What came of a program.
    package enum Result: Sendable {
        /// It succeeded, with this on its output.
        case output(String)
        /// It failed, with this on its error output.
        case failed(Ending, errors: String)
        /// An errno value.
        case notStarted(Int32)
        /// It was killed because it took too long.
        case timedOut
    }

    /// How a program ended that failed.
    package enum Ending: Hashable, Sendable, CustomStringConvertible {
        case exit(status: Int)
        case signal(Int)

        /// `exit status 3` or `killed by signal 9`.
        package var description: String {
            switch self {
            case .exit(let status): "exit status \(status)"
            case .signal(let number): "killed by signal \(number)"
            }
        }

        /// What `waitpid` says of a program that has ended.
        fileprivate init(status: Int32) {
            let signal = status & 0x7f
            self = signal == 0 ? .exit(status: Int(status >> 8 & 0xff)) : .signal(Int(signal))
        }
    }

    /// Which open files a program reads and writes, other than nothing and a pipe.
    package struct Redirection: Sendable {
        /// What it reads.
        package var input: Int32?
        /// What it writes to, in place of the output that is returned.
        package var output: Int32?

        /// Nothing is read, and the output is returned.
        package init(input: Int32? = nil, output: Int32? = nil) { (self.input, self.output) = (input, output) }
    }

    /// What a program may use.
    package struct Limits: Sendable {
        /// The maximum length of the output in bytes; the rest is dropped.
        package var output = 1 << 20
        /// The maximum size of its memory in bytes; nil for the system's.
        package var memory: Int?

        /// One megabyte of output, and any memory.
        package init() {}
    }

    /// Runs a program that reads bytes from a file in memory, which no other process sees.
    package static func run(
        _ words: [String], environment: [String], input: [UInt8], limits: Limits = Limits(),
        until deadline: ContinuousClock.Instant
    ) -> Result {
        let file = memoryFile(of: input)
        guard file >= 0 else { return .notStarted(errno) }
        defer { close(file) }
        return run(words, environment: environment, Redirection(input: file), limits: limits, until: deadline)
    }

    /// Runs a program that is looked for on the environment's path; `words` begin with its name.
    ///
    /// It is killed at the deadline, and as soon as `isCancelled` says so, which is asked ten times a second.
    package static func run(
        _ words: [String], environment: [String], _ files: Redirection = Redirection(),
        limits: Limits = Limits(), until deadline: ContinuousClock.Instant, isCancelled: (() -> Bool)? = nil
    ) -> Result {
        guard let path = path(of: words[0], in: environment) else { return .notStarted(ENOENT) }
        var output: [Int32] = [0, 0]
        var errors: [Int32] = [0, 0]
        guard pipe(&output) == 0 else { return .notStarted(errno) }
        guard pipe(&errors) == 0 else {
            let code = errno
            for end in output { close(end) }
            return .notStarted(code)
        }
        for end in output + errors { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (code, id) = spawn(
            path, words, environment, input: files.input, output: files.output ?? output[1], errors: errors[1])
        close(output[1])
        close(errors[1])
        defer {
            close(output[0])
            close(errors[0])
        }
        guard code == 0 else { return .notStarted(code) }
        if let memory = limits.memory { limit_memory(id, memory) }
        let written = collect(output[0], errors[0], upTo: limits.output, until: deadline, isCancelled)
        // Its whole group: git has helpers of its own.
        if written == nil { kill(-id, SIGKILL) }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        guard let written else { return .timedOut }
        return status == 0 ? .output(text(written.0)) : .failed(Ending(status: status), errors: text(written.1))
    }

    /// Starts a program and does not wait for it; it outlives this one, and its output is dropped.
    ///
    /// - Returns: 0, or the `errno` of the failure.
    package static func start(_ words: [String], environment: [String]) -> Int32 {
        guard let path = path(of: words[0], in: environment) else { return ENOENT }
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return errno }
        defer { close(nowhere) }
        let (code, id) = spawn(path, words, environment, input: nil, output: nowhere, errors: nowhere)
        // What ends before this process does is collected.
        if code == 0 { DispatchQueue.global().async { while waitpid(id, nil, 0) < 0, errno == EINTR {} } }
        return code
    }

    /// Whether there is a program of this name.
    package static func isFound(_ name: String, in environment: [String]) -> Bool {
        path(of: name, in: environment) != nil
    }

    /// Where a program is on the environment's path; nil where it is not.
    package static func path(of name: String, in environment: [String]) -> String? {
        if name.contains("/") { return name }
        let folders = environment.first { $0.hasPrefix("PATH=") }?.dropFirst(5) ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    private static func spawn(
        _ path: String, _ words: [String], _ environment: [String], input: Int32?, output: Int32, errors: Int32
    ) -> (Int32, pid_t) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads of Swift's pool block signals, and this program ignores SIGPIPE: a child would inherit both.
        var none = sigset_t()
        sigemptyset(&none)
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &pipe)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var id = pid_t()
        let code = posix_spawn(&id, path, &actions, &attributes, &arguments, &variables)
        return (code, id)
    }

    /// What is written to both outputs until they are closed; nil when that takes too long or is cancelled.
    private static func collect(
        _ output: Int32, _ errors: Int32, upTo outputLimit: Int, until deadline: ContinuousClock.Instant,
        _ isCancelled: (() -> Bool)?
    ) -> ([UInt8], [UInt8])? {
        var collected: [[UInt8]] = [[], []]
        var polls = [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
        ]
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while polls.contains(where: { $0.fd >= 0 }) {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero, isCancelled?() != true else { return nil }
            let wait = Int32(min(left.components.seconds * 1_000 + 50, isCancelled == nil ? 10_000 : 100))
            guard poll(&polls, nfds_t(polls.count), wait) >= 0 || errno == EINTR else { return nil }
            for index in polls.indices where polls[index].fd >= 0 && polls[index].revents != 0 {
                let count = read(polls[index].fd, &chunk, chunk.count)
                if count > 0 {
                    if collected[index].count < outputLimit { collected[index] += chunk[..<count] }
                } else if count == 0 || errno != EINTR {
                    polls[index].fd = -1
                }
            }
        }
        return (collected[0], collected[1])
    }

    /// A file that only this process and its child have; -1 leaves the reason in `errno`.
    private static func memoryFile(of bytes: [UInt8]) -> Int32 {
        let file = open_memory_file()
        guard file >= 0 else { return -1 }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else {
                close(file)
                return -1
            }
            rest = rest.dropFirst(max(count, 0))
        }
        lseek(file, 0, SEEK_SET)
        return file
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
