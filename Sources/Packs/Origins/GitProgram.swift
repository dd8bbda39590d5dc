import Dispatch
import Glibc
import ProviderModel

/// The `git` program, run so that a stranger's repository can do nothing but be read.
///
/// No shell, no hooks, no settings of the user or the machine, no questions, no transport but the one asked for.
package struct GitProgram: Sendable {
    /// What git needs of this process's environment: where programs, keys and proxies are.
    private static let inherited = [
        "PATH", "HOME", "SSH_AUTH_SOCK", "http_proxy", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY",
        "all_proxy",
        "SSL_CERT_FILE", "SSL_CERT_DIR",
    ]
    private static let settings = [
        "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.symlinks=false", "core.autocrlf=false",
        "protocol.ext.allow=never", "http.followRedirects=false", "credential.helper=", "submodule.recurse=false",
        "fetch.recurseSubmodules=false", "gc.auto=0", "advice.detachedHead=false", "transfer.fsckObjects=true",
    ]

    private let environment: [String: String]
    private let certificateFile: String?
    private let deadline: Duration

    /// Git in an environment; each step of its work may take `deadline`.
    package init(environment: [String: String], certificateFile: String? = nil, deadline: Duration = .seconds(120)) {
        self.environment = environment
        self.certificateFile = certificateFile
        self.deadline = deadline
    }

    /// What git says to a command in a folder; its complaint is the error's message.
    func run(_ arguments: [String], in folder: String, access: GitAddress.Access) async throws(PackError) -> String {
        let words = ["git", "-C", folder] + Self.settings.flatMap { ["-c", $0] } + arguments
        let environment = environment(for: access)
        let end = ContinuousClock.now + deadline
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: ChildProgram.run(words, environment: environment, until: end))
            }
        }
        switch result {
        case .output(let text): return text
        case .notStarted(let code):
            throw PackError(
                .library, "git does not start: \(String(cString: strerror(code)))", subject: "git",
                hint: "packs from git addresses need git; install it, or ask for a .tgz")
        case .failed(let said):
            let lines = said.split(whereSeparator: \.isNewline)
            // Of what ssh says of its own, git's last word knows nothing.
            let line = lines.first { $0.hasPrefix("ssh: ") } ?? lines.last { $0.contains(":") } ?? said[...]
            throw PackError(.file, "git could not \(arguments.first ?? "run"): \(line.trimmed.quoted)", subject: folder)
        case .late:
            throw PackError(
                .file, "git took longer than \(deadline.components.seconds) s to \(arguments.first ?? "run")",
                subject: folder,
                hint: "try again later")
        }
    }

    private func environment(for access: GitAddress.Access) -> [String] {
        var values = environment.filter { Self.inherited.contains($0.key) }
        values["GIT_CONFIG_NOSYSTEM"] = "1"
        values["GIT_CONFIG_GLOBAL"] = "/dev/null"
        values["GIT_ATTR_NOSYSTEM"] = "1"
        values["GIT_TERMINAL_PROMPT"] = "0"
        values["GIT_ASKPASS"] = "/bin/false"
        values["SSH_ASKPASS"] = "/bin/false"
        values["GIT_SSH_COMMAND"] = "ssh -oBatchMode=yes -oStrictHostKeyChecking=yes"
        values["GIT_ALLOW_PROTOCOL"] = access.rawValue
        values["GIT_LFS_SKIP_SMUDGE"] = "1"
        values["LC_ALL"] = "C"
        if let certificateFile { values["GIT_SSL_CAINFO"] = certificateFile }
        return values.map { "\($0.key)=\($0.value)" }
    }
}

extension Substring {
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
