import CJavaScriptCore
import CLibXML2
import CSeccomp
import Glibc
import ProviderModel
import WorkerProtocol

/// The sandboxed process: starts an engine, locks itself in, and runs one provider's script for the host.
package struct Worker {
    private let pipe = MessagePipe()
    private let environment: ScriptEnvironment

    /// Runs until the host closes the connection.
    ///
    /// `memory` is in bytes.
    package static func run(memory: Int) -> Never {
        HostWatch.watch { start(memory: memory) }
    }

    private static func start(memory: Int) -> Never {
        // The engine first: what it opens, maps and starts has to be there before the sandbox is on.
        let worker = Worker(environment: ScriptEnvironment(memory: memory))
        Charset.prepare()
        worker.startWatchdog()
        do throws(SandboxError) {
            let sandbox = try Sandbox(memory: memory).enter()
            guard worker.pipe.send(.ready(WorkerStatus(sandbox: sandbox))) else { exit(0) }
        } catch {
            // A script never runs outside the sandbox: the reason is sent to the host, and this process ends.
            _ = worker.pipe.send(
                .failed(ProviderError(.worker, provider: "", message: "could not set up the sandbox: \(error)")))
            exit(1)
        }
        worker.serve()
        exit(0)
    }

    /// Arms the watchdog for the first time, which starts a thread and an event loop: the sandbox refuses both.
    private func startWatchdog() {
        environment.runtime.limitTime(to: .milliseconds(environment.timeLimit))
        _ = try? environment.runtime.evaluate("0", file: "[imgscript]/start.js")  // too short to fail
    }

    private func serve() {
        var first = next()
        environment.beginStep()
        if case .cover(let parser)? = first {
            guard pipe.send(startCovering(with: parser)) else { return }
            first = next()
        }
        guard case .load(let file, let source, let limits)? = first else { return }
        environment.timeLimit = limits.milliseconds
        environment.runtime.limitTime(to: .milliseconds(limits.milliseconds))
        connectModules()
        let script: ProviderScript
        do throws(ProviderError) {
            script = try ProviderScript(file: file, source: source, in: environment)
        } catch {
            _ = pipe.send(.failed(error))
            return
        }
        guard pipe.send(.loaded(script.manifest)) else { return }
        var runs = OperationRuns(script: script, limits: limits)
        var tests: TestSession?
        while let message = next() {
            environment.beginStep()
            var reply: [UInt8]?
            switch message {
            case .loadTests(let file):
                let found: WorkerMessage
                (tests, found) = load(file, of: script, limits)
                reply = found.frame
            case .runTest(let index): reply = tests?.run(index).frame ?? runs.reply(to: message)
            case .reportCoverage: reply = coverageReport().frame
            default: reply = runs.reply(to: message)
            }
            if let reply, !pipe.send(reply) { return }
        }
    }

    /// Reads a test file; its tests then ask the host while they run.
    private func load(
        _ file: TestFileSource, of script: ProviderScript, _ limits: WorkerLimits
    ) -> (TestSession?, WorkerMessage) {
        do throws(ProviderError) {
            let tests = try TestSession(file, of: script, limits: limits) { question throws(NativeError) in
                guard self.pipe.send(.asked(question)), case .answer(let answer)? = self.next() else {
                    throw .message("the host has exited")
                }
                // Waiting is not the script's time: each step has its own.
                self.environment.beginStep()
                return answer
            }
            return (tests, .testsFound(tests.descriptions))
        } catch {
            return (nil, .failed(error))
        }
    }

    private func startCovering(with parser: String) -> WorkerMessage {
        do throws(ScriptRuntime.Interruption) {
            environment.modules.coverage = try CoverageProbe(parser: parser, in: environment)
            return .covered([])
        } catch {
            let place = ScriptErrorContext(environment: environment, location: SourceLocation(file: "acorn.js"))
            return .failed(place.error(.interruption(error)))
        }
    }

    private func coverageReport() -> WorkerMessage {
        do throws(ScriptRuntime.Interruption) {
            return .covered(try environment.modules.coverage?.files() ?? [])
        } catch {
            return .covered([])
        }
    }

    private func connectModules() {
        environment.modules.module = { file, from throws(NativeError) in
            guard self.pipe.send(.moduleNeeded(specifier: file, from: from)), case .module(let reply)? = self.next()
            else {
                throw .message("the host has exited")
            }
            switch reply {
            case .source(_, let text): return text
            case .missing(let why): throw .message("require: \(why)")
            }
        }
        environment.console.output = { level, text in
            _ = self.pipe.send(.log(level: WorkerMessage.LogLevel(rawValue: level) ?? .info, text: text))
        }
    }

    /// The next message, or nil when the host has exited or violates the protocol: then no error can be reported.
    private func next() -> HostMessage? {
        do throws(WireError) { return try pipe.receive() } catch { return nil }
    }
}

extension Worker {
    /// The libraries that scripts run with, each with its version: `JavaScriptCore/2.48.3`.
    package static var libraryVersions: [String] {
        let engine = [jsc_get_major_version(), jsc_get_minor_version(), jsc_get_micro_version()]
        var versions = ["JavaScriptCore/\(engine.map { "\($0)" }.joined(separator: "."))"]
        // "20914-GITv2.9.14" is 2.9.14.
        let xml = xmlLibraryVersion().map { String(cString: $0) } ?? ""
        if let number = Int(xml.prefix { $0.isNumber }) {
            versions.append("libxml2/\(number / 10_000).\(number / 100 % 100).\(number % 100)")
        }
        if let seccomp = seccomp_version()?.pointee {
            versions.append("libseccomp/\(seccomp.major).\(seccomp.minor).\(seccomp.micro)")
        }
        return versions
    }
}

/// The worker's side of the connection to its host: blocking reads and writes on standard input and output.
struct MessagePipe {
    /// Reads the next message of the host; nil when the host has closed the connection.
    func receive() throws(WireError) -> HostMessage? {
        guard let head = read(count: FrameHeader.size) else { return nil }
        let header = try FrameHeader(head)
        guard let payload = read(count: header.length) else { return nil }
        return try HostMessage(kind: header.kind, payload: payload)
    }

    /// Sends a message; false when the host has closed the connection.
    func send(_ message: WorkerMessage) -> Bool { send(message.frame) }

    /// Sends an encoded message; false when the host has closed the connection.
    func send(_ frame: [UInt8]) -> Bool {
        frame.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    private func read(count: Int) -> [UInt8]? {
        var isComplete = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = Glibc.read(STDIN_FILENO, buffer.baseAddress.map { $0 + filled }, count - filled)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    isComplete = false
                    return
                }
                filled += got
            }
        }
        return isComplete ? bytes : nil
    }
}

/// Ends the worker when its host has exited, whatever a script is doing at that moment.
///
/// `PR_SET_PDEATHSIG` would not do: it looks at the thread that started the worker, and hosts start workers from
/// threads of a pool that come and go.
enum HostWatch {
    /// Watches standard input for the host to close it, while `body` runs in a thread of its own.
    ///
    /// The thread's stack has a size of our choice, whatever the user's limits are.
    static func watch(while body: @escaping @Sendable () -> Never) -> Never {
        let work = Unmanaged.passRetained(Work(body: body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, stackSize)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes, { Unmanaged<Work>.fromOpaque($0!).takeRetainedValue().body() }, work.toOpaque())
        precondition(code == 0, "could not create a thread for the engine: \(code)")
        var entry = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
        // Asked for nothing, `poll` reports a hang-up and errors only.
        while poll(&entry, 1, -1) <= 0 {}
        _exit(0)
    }

    /// What a main thread has on most systems; the engine uses up to 5 MB of it.
    private static let stackSize = 8 << 20

    private final class Work: Sendable {
        let body: @Sendable () -> Never

        init(body: @escaping @Sendable () -> Never) { self.body = body }
    }
}
