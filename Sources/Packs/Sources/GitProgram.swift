import Dispatch
import Glibc
import HTTPTransport
import ProviderModel

/// The `git` program, run so that an untrusted repository can only be read.
///
/// No shell, no hooks, no settings of the user or the machine, no prompts, no transport but the requested one.
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

    /// Runs a command in a folder and returns its output; git's own error becomes the error's message.
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
                .library, "could not start git: \(String(cString: strerror(code)))", subject: "git",
                hint: "install git, or use a .tgz")
        case .failed(_, let errors):
            let lines = errors.split(whereSeparator: \.isNewline)
            // ssh's own error is more useful than git's about ssh.
            let line = lines.first { $0.hasPrefix("ssh: ") } ?? lines.last { $0.contains(":") } ?? errors[...]
            throw PackError(.file, "git \(arguments.first ?? "") failed: \(line.trimmed.quoted)", subject: folder)
        case .timedOut:
            throw PackError(
                .file, "git \(arguments.first ?? "") timed out after \(deadline.components.seconds) s",
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

/// One commit of a repository, put into a folder.
struct GitCheckout {
    let git: GitProgram
    let address: GitAddress

    /// Fetches the commit of the reference, without its history, into a folder; returns the commit.
    func fetch(into folder: String, allowing allowedHosts: AllowedHosts) async throws(PackError) -> String {
        try checkHost(allowedHosts)
        _ = try await run(["init", "--quiet", "--template=", "."], in: folder)
        let wanted = address.reference ?? "HEAD"
        do {
            _ = try await run(
                [
                    "fetch", "--quiet", "--depth", "1", "--no-tags", "--no-recurse-submodules", "--",
                    address.repository, wanted,
                ],
                in: folder)
        } catch {
            throw PackError(
                .file, "could not fetch \(address): \(error.message)", subject: address.description,
                hint: error.hint
                    ?? "check the URL, and that \(wanted) is a branch, tag or commit there; git does not ask for passwords"
            )
        }
        _ = try await run(["checkout", "--quiet", "--detach", "FETCH_HEAD"], in: folder)
        return try await run(["rev-parse", "HEAD"], in: folder).filter { !$0.isNewline }
    }

    private func run(_ arguments: [String], in folder: String) async throws(PackError) -> String {
        try await git.run(arguments, in: folder, access: address.access)
    }

    /// git does not use our transport, so its host is checked here, by the address.
    private func checkHost(_ allowedHosts: AllowedHosts) throws(PackError) {
        // `GitAddress` has parsed it as a URL.
        guard address.access == .https || address.access == .http, let url = try? WebURL(address.repository),
            !allowedHosts.admits(url)
        else { return }
        let kind = url.isLoopback ? "loopback" : NetworkAddress(literal: url.host)?.special
        if let kind {
            throw PackError(
                .refused, "\(kind) addresses are blocked: \(url.origin)", subject: address.description,
                hint: .allowHost(url.authority))
        }
        if address.access == .http {
            throw PackError(
                .refused, "\(url.origin) is plain http, which can be changed in transit",
                subject: address.description, hint: .several(["use git+https", .allowHost(url.authority)]))
        }
    }
}
