import CSystemCalls
import Glibc
import TestSupport
import Testing
import WorkerProtocol

@testable import ProviderRuntime

@Suite("A worker is confined by its sandbox", .serialized)
struct SandboxTests {
    @Test(
        arguments: [
            "open", "create", "unlink", "stat", "socket", "socketpair", "fork", "kill", "kill by thread",
            "executable memory",
            "memory made executable", "shared memory", "shared memory, flags checked", "memory that grows down",
            "memory file", "more memory", "change folder", "duplicate descriptor",
        ])
    func attemptIsRefused(_ attempt: String) throws {
        #expect(try status(of: attempt) == .returned(EPERM))
    }

    @Test func attemptToRunAnotherProgramEndsTheProcess() throws {
        #expect(try status(of: "exec") == .killed(SIGSYS))
    }

    @Test(arguments: ["private memory without a reserve", "private memory made writable"])
    func memoryBeyondTheLimitIsRefused(_ attempt: String) throws {
        #expect(try status(of: attempt) == .returned(ENOMEM))
    }

    @Test(arguments: ["thread", "wait for a signal", "clock", "private memory"])
    func whatAnEngineNeedsIsLeft(_ attempt: String) throws {
        #expect(try status(of: attempt) == .returned(0))
    }

    @Test func workerShowsItsLocks() throws {
        let worker = try ReadyWorker()
        #expect(worker.bounds.contains("no_new_privs") && worker.bounds.contains("seccomp"))
        let status = worker.file("status")
        #expect(status.contains("NoNewPrivs:\t1\n"))
        #expect(status.contains("Seccomp:\t2\n"))
        worker.end()
    }

    @Test func workerInheritsNothing() throws {
        setenv("IMGSCRIPT_TEST_SECRET", "secret", 1)
        let descriptor = open("/dev/zero", O_RDONLY)  // not marked to be closed
        let worker = try ReadyWorker()
        close(descriptor)
        #expect(worker.file("environ").isEmpty)
        #expect(!worker.file("cmdline").contains("secret"))
        // The engine keeps the source of chance and its own figures open, for reading.
        let harmless = ["socket:", "anon_inode:", "/dev/null", "/dev/urandom", "/proc/\(worker.id)/statm"]
        let descriptors = worker.descriptors
        #expect(!descriptors.isEmpty, "what cannot be read shows nothing")
        for target in descriptors { #expect(harmless.contains { target.hasPrefix($0) }, "\(target)") }
        worker.end()
    }

    @Test func workerEndsWhenItsHostHasGoneWhateverItDoes() throws {
        for script in [
            "", "for (;;) {}", "const f = () => Promise.resolve().then(f); f();", "new Uint8Array(2e8).fill(1).sort()",
        ] {
            let worker = try ReadyWorker()
            var limits = WorkerLimits()
            limits.milliseconds = 60_000
            if !script.isEmpty { try worker.send(.load(file: "a.js", source: script, limits: limits)) }
            // What the system does with a host's descriptors when the host dies.
            worker.closeSocket()
            #expect(worker.hasEnded(within: .seconds(1) + TimeTolerance.default), "\(script)")
        }
    }

    @Test func workerOutlivesTheThreadThatStartedIt() throws {
        let worker = try ReadyWorker(onThreadThatEnds: true)
        #expect(worker.file("status").contains("Seccomp:\t2\n"))
        try worker.send(.load(file: "a.js", source: "", limits: WorkerLimits()))
        guard case .failed = try worker.receive() else {
            Issue.record("no reply")
            return
        }
        worker.end()
    }

    private enum Status: Equatable {
        case returned(Int32)
        case killed(Int32)
    }

    private func status(of attempt: String) throws -> Status {
        var (process, socket) = (pid_t(), Int32())
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sandbox-probe"), strdup(attempt), nil]
        defer { for argument in arguments { free(argument) } }
        let code = spawn_isolated(BuiltExecutable.path(of: "sandbox-probe"), arguments, &process, &socket)
        try #require(code == 0)
        defer { close(socket) }
        var status: Int32 = 0
        try #require(waitpid(process, &status, 0) == process)
        return status & 0x7f == 0 ? .returned(status >> 8 & 0xff) : .killed(status & 0x7f)
    }
}
