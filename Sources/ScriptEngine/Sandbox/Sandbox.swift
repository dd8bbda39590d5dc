import CSeccomp
import Glibc
import ProviderModel

/// The restrictions that a worker enters before it reads the first line of a script.
package struct Sandbox {
    /// Bytes of memory the process may have for data.
    let memory: Int

    /// A sandbox for a process that may have `memory` bytes of data beside what it has now.
    package init(memory: Int) { self.memory = memory }

    /// Enters the restrictions and returns their names; irreversible.
    package func enter() throws(SandboxError) -> [String] {
        CrashReport.install(reserves: try AddressReserve.close(beyond: memory / 4), memory: memory)
        // RLIMIT_AS would not do: the engine reserves addresses that it never touches. Much of what it has mapped as
        // data by now is such a reserve too, so the limit counts from there.
        let limit = rlim_t(try mappedData() + memory)
        try check(process_set_limit(Int32(RLIMIT_DATA.rawValue), limit), "RLIMIT_DATA")
        try check(process_set_limit(Int32(RLIMIT_CORE.rawValue), 0), "RLIMIT_CORE")
        try check(process_set_limit(Int32(RLIMIT_FSIZE.rawValue), 0), "RLIMIT_FSIZE")
        try check(process_set_option(PR_SET_NO_NEW_PRIVS, 1), "no_new_privs")
        try loadFilter()
        return ["no_new_privs", "seccomp", "RLIMIT_DATA \(memory >> 20) MB", "JIT off"]
    }

    /// Bytes of the process's private writable memory, touched or not.
    private func mappedData() throws(SandboxError) -> Int {
        let file = "/proc/self/statm"
        // The sixth figure is that of data and stack.
        let figures = try Self.text(of: file).split(separator: " ").compactMap { Int($0) }
        guard figures.count > 5, figures[5] > 0 else { throw SandboxError(step: file, code: EINVAL) }
        return figures[5] * Int(getpagesize())
    }

    /// What the system has in a file about this process.
    static func text(of path: String) throws(SandboxError) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SandboxError(step: path, code: errno) }
        defer { close(file) }
        guard let text = file.readToEnd() else { throw SandboxError(step: path, code: errno) }
        return String(decoding: text, as: UTF8.self)
    }

    private func loadFilter() throws(SandboxError) {
        guard let filter = seccomp_init(seccomp_action_errno(UInt16(EPERM))) else {
            throw SandboxError(step: "seccomp_init", code: ENOMEM)
        }
        defer { seccomp_release(filter) }
        // The engine's threads are running already; the filter has to hold for them too.
        try check(seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1), "seccomp TSYNC")
        for name in SystemCalls.allowed {
            try check(seccomp_add_plain(filter, seccomp_action_allow(), seccomp_syscall_resolve_name(name)), name)
        }
        for name in SystemCalls.fatal {
            try check(seccomp_add_plain(filter, seccomp_action_kill(), seccomp_syscall_resolve_name(name)), name)
        }
        // Threads, not processes.
        let thread = UInt64(CLONE_THREAD)
        try check(seccomp_allow_masked(filter, seccomp_syscall_resolve_name("clone"), 0, thread, thread), "clone")
        // ENOSYS, as on an old kernel: the C library falls back to `clone`, whose flags the filter can check.
        try check(
            seccomp_add_plain(filter, seccomp_action_errno(UInt16(ENOSYS)), seccomp_syscall_resolve_name("clone3")),
            "clone3")
        // Memory may be written or executed, never newly made executable: nothing is compiled here.
        let executable = UInt64(PROT_EXEC)
        try check(
            seccomp_allow_masked(filter, seccomp_syscall_resolve_name("mprotect"), 2, executable, 0), "mprotect")
        // RLIMIT_DATA counts private memory alone, and not what grows down as a stack does.
        let uncounted = UInt64(MAP_SHARED | MAP_GROWSDOWN)
        try check(
            seccomp_allow_without(filter, seccomp_syscall_resolve_name("mmap"), 2, executable, 3, uncounted), "mmap")
        // Signals to its own threads; the number alone would let it end any process of the user.
        try check(
            seccomp_allow_masked(filter, seccomp_syscall_resolve_name("tgkill"), 0, .max, UInt64(getpid())), "tgkill")
        for option in [PR_SET_NAME, PR_SET_VMA] {
            try check(
                seccomp_allow_masked(filter, seccomp_syscall_resolve_name("prctl"), 0, .max, UInt64(option)), "prctl")
        }
        try check(seccomp_load(filter), "seccomp_load")
    }

    private func check(_ result: Int32, _ step: String) throws(SandboxError) {
        // libseccomp returns the negative code, the C library sets errno.
        guard result < 0 else { return }
        throw SandboxError(step: step, code: result == -1 && errno != 0 ? errno : -result)
    }
}

/// Why the sandbox could not be set up.
package struct SandboxError: Error, CustomStringConvertible {
    let step: String
    let code: Int32

    package var description: String { "\(step): \(String(cString: strerror(code)))" }
}
