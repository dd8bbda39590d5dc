import CSpawn
import Glibc

/// A running `imgscript-worker`: its process id and the host's ends of its two pipes.
struct WorkerProcess: ~Copyable {
    let id: pid_t
    let input: Int32
    let output: Int32

    /// Starts the executable with nothing inherited: no environment, no descriptors but its pipes.
    init(executable: String, memory: Int) throws(WorkerFault) {
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("imgscript-worker"), strdup(String(memory)), nil]
        defer { for argument in arguments { free(argument) } }
        var process = spawned_process()
        let code = spawn_isolated(executable, arguments, &process)
        guard code == 0 else { throw .notStarted(executable, code: code) }
        id = process.id
        input = process.input
        output = process.output
    }

    /// A process that was started with `spawn_isolated` already.
    init(adopting process: spawned_process) {
        id = process.id
        input = process.input
        output = process.output
    }

    /// Ends the process at once and waits for it; nothing in it is worth saving.
    consuming func end() -> Exit {
        close(input)
        close(output)
        kill(id, SIGKILL)
        return Self.reap(id)
    }

    /// Waits for a process that has ended by itself.
    consuming func reap() -> Exit {
        close(input)
        close(output)
        // It closed its pipe, so it is on its way out; a worker that stays is not waited for.
        for _ in 0..<100 {
            var status: Int32 = 0
            if waitpid(id, &status, WNOHANG) == id { return Exit(status: status) }
            usleep(1_000)
        }
        kill(id, SIGKILL)
        return Self.reap(id)
    }

    /// How a worker ended.
    struct Exit {
        /// The signal that ended it, if one did.
        let signal: Int32?
        /// What it returned, when it ended by itself.
        let status: Int32?

        fileprivate init(status: Int32) {
            let number = status & 0x7f
            signal = number == 0 ? nil : number
            self.status = number == 0 ? status >> 8 & 0xff : nil
        }
    }

    private static func reap(_ id: pid_t) -> Exit {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return Exit(status: status)
    }
}
