import Glibc
import TestSupport
import WorkerProtocol

@testable import ProviderRuntime

/// A real worker without the host's connection around it.
final class ReadyWorker {
    /// What it says is in force.
    private(set) var bounds: [String] = []
    private let process: WorkerProcess

    var id: pid_t { process.id }

    /// Starts a worker and waits until it is locked in.
    init(onThreadThatEnds: Bool = false, memory: Int = 256) throws {
        process =
            onThreadThatEnds
            ? try Self.startOnThreadThatEnds() : try WorkerProcess(executable: BuiltWorker.path, memory: memory)
        if case .ready(let status) = try receive() { bounds = status.sandbox }
    }

    func send(_ message: HostMessage) throws {
        process.beginStep(deadline: .now + .seconds(10), byteLimit: 1 << 20)
        try process.send(message.frame)
    }

    func receive() throws -> WorkerMessage {
        process.beginStep(deadline: .now + .seconds(10), byteLimit: 1 << 20)
        let (kind, payload) = try process.receive()
        return try WorkerMessage(kind: kind, payload: payload)
    }

    /// A file the system has about the process.
    func file(_ name: String) -> String {
        let descriptor = open("/proc/\(id)/\(name)", O_RDONLY)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        // The system gives a part of a long one at a time.
        while case let count = read(descriptor, &piece, piece.count), count > 0 { text += piece.prefix(count) }
        return String(decoding: text, as: UTF8.self)
    }

    /// What its descriptors stand for.
    var descriptors: [String] {
        guard let folder = opendir("/proc/\(id)/fd") else { return [] }
        defer { closedir(folder) }
        var targets: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            var target = [CChar](repeating: 0, count: 4_096)
            guard readlink("/proc/\(id)/fd/\(name)", &target, target.count - 1) > 0 else { continue }
            targets.append(String(decoding: target.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        return targets
    }

    /// Whether a reply, or the end, can be read.
    var hasAnswered: Bool {
        var entry = pollfd(fd: process.socket, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 2) > 0
    }

    /// The most it has held since it was started.
    var peakMegabytes: Int {
        guard let line = file("status").split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else {
            return 0
        }
        return (Int(line.filter(\.isNumber)) ?? 0) >> 10
    }

    func closeSocket() { shutdown(process.socket, Int32(SHUT_RDWR)) }

    /// Whether the process ends by itself.
    func hasEnded(within time: Duration) -> Bool {
        let end = ContinuousClock.now + time
        var status = siginfo_t()
        while ContinuousClock.now < end {
            // The process stays to be waited for.
            if waitid(P_PID, id_t(id), &status, WEXITED | WNOWAIT | WNOHANG) == 0, status.si_signo == SIGCHLD {
                return true
            }
            usleep(2_000)
        }
        return false
    }

    func end() { process.kill() }

    private final class Start {
        var process: WorkerProcess?
    }

    private static func startOnThreadThatEnds() throws -> WorkerProcess {
        let start = Start()
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                let start = Unmanaged<Start>.fromOpaque(context!).takeUnretainedValue()
                start.process = try? WorkerProcess(executable: BuiltWorker.path, memory: 256)
                return nil
            }, Unmanaged.passUnretained(start).toOpaque())
        pthread_join(thread, nil)
        guard let process = start.process else { throw WorkerError.exited(signal: nil) }
        return process
    }
}
