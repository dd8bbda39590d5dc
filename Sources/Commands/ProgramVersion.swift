import CBuild
import Glibc
import ImgScript
import Packs
import ProviderModel

/// The version of the program: its number, its commit, and the libraries in use.
enum ProgramVersion {
    /// The program with its version, and the commit where the build passes it: `imgscript 1.4.0 (7467fbae21c4)`.
    static let text = "\(ImgScriptCommand.name) \(number)"

    /// The version alone: `1.4.0 (7467fbae21c4)`.
    static var number: String {
        let commit = String(cString: cbuild_commit())
        return commit.isEmpty ? ImageEngine.version : "\(ImageEngine.version) (\(commit))"
    }

    /// The libraries of this process.
    static var libraries: [String] { ImageEngine.libraryVersions + PackLibraries.versions }

    /// The libraries of both processes.
    static func libraryLines(worker: String) -> [String] {
        [
            "contract \(ProviderManifest.contract)", "libraries: \(libraries.joined(separator: " "))",
            "worker: \(workerLibraries(worker) ?? "could not run \(worker)")",
        ]
    }

    /// The libraries of the worker, as it prints them; nil where it does not run.
    static func workerLibraries(_ worker: String) -> String? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        ends.forEach { posix_spawn_file_actions_addclose(&actions, $0) }
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(worker), strdup("--version"), nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        let status = posix_spawn(&process, worker, &actions, nil, &arguments, environ)
        close(ends[1])
        guard status == 0 else { return nil }
        let bytes = readToEnd(ends[0], before: .now + .seconds(3))
        // One that does not say it by then is not waited for.
        if bytes == nil { kill(process, SIGKILL) }
        var ending: Int32 = 0
        waitpid(process, &ending, 0)
        let text = String(decoding: bytes ?? [], as: UTF8.self).trimmingSpaces
        return ending == 0 && !text.isEmpty ? text : nil
    }

    /// What comes until the end; nil where the end does not come before the deadline.
    private static func readToEnd(_ descriptor: Int32, before deadline: ContinuousClock.Instant) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
            guard left > 0, poll(&entry, 1, Int32(left.rounded(.up))) > 0 else { return nil }
            let count = read(descriptor, &part, part.count)
            guard count > 0 else { return bytes }
            bytes += part.prefix(count)
        }
    }
}
