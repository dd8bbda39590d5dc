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

/// The gigabytes of addresses that the engine sets aside for the shapes of objects, as writable memory.
///
/// `RLIMIT_DATA` counts them when they are mapped, not when they are used, so a script that makes millions of shapes
/// would fill them unseen. Most of them are therefore closed: a script that gets that far crashes.
enum AddressReserve {
    /// The reserve's size, and what its first address is a multiple of: the engine compresses pointers into it to 32
    /// bits.
    private static let size = 4 << 30

    /// Leaves only the first `bytes` of the reserve usable; returns the addresses that are closed from now on.
    static func close(beyond bytes: Int) throws(SandboxError) -> Range<Int>? {
        guard let start = try start() else { return nil }
        let closed = min(start + bytes, start + size)..<start + size
        guard mprotect(UnsafeMutableRawPointer(bitPattern: closed.lowerBound), closed.count, PROT_NONE) == 0 else {
            throw SandboxError(step: "mprotect", code: errno)
        }
        return closed
    }

    /// The reserve's first address, or nil for an engine without one.
    private static func start() throws(SandboxError) -> Int? {
        let maps = try Sandbox.text(of: "/proc/self/maps")
        for line in maps.utf8.split(separator: UInt8(ascii: "\n")) {
            if let mapping = writableMapping(in: line), let start = start(in: mapping) { return start }
        }
        return nil
    }

    /// The addresses of a line such as `7f0000000000-7f0100000000 rw-p 00000000 00:00 0`; nil for memory of another
    /// kind.
    private static func writableMapping(in line: Substring.UTF8View) -> Range<Int>? {
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard fields.count > 1, fields[1].elementsEqual("rw-p".utf8) else { return nil }
        let bounds = Substring(fields[0]).split(separator: "-").compactMap { Int($0, radix: 16) }
        guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
        return bounds[0]..<bounds[1]
    }

    /// Where the reserve begins in a mapping that holds it.
    ///
    /// The system joins adjacent mappings of the same kind into one: memory in use may come before and after the reserve.
    static func start(in mapping: Range<Int>) -> Int? {
        let start = (mapping.lowerBound + size - 1) / size * size
        return start + size <= mapping.upperBound ? start : nil
    }
}

/// The system calls of a running engine: its pipes, memory, threads and clocks.
enum SystemCalls {
    /// Everything else is refused with EPERM.
    static let allowed = [
        // The pipes to the host, and the engine's own event descriptors.
        "read", "write", "readv", "writev", "pread64", "close", "poll", "ppoll",
        // Memory; `mmap` and `mprotect` have a rule of their own.
        "munmap", "madvise", "mremap", "brk", "membarrier",
        // Threads, and the signals the collector stops them with: without `rt_sigsuspend` they would run on while it
        // reads their stacks. `tgkill` has a rule of its own.
        "futex", "set_robust_list", "rseq", "sched_yield", "sched_getaffinity", "gettid", "getpid",
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait", "sigaltstack",
        "restart_syscall",
        // Clocks and chance.
        "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "getrandom",
        // The process's own figures, and its end.
        "getrusage", "sysinfo", "exit", "exit_group",
    ]

    /// A worker has no legitimate use for these: the process ends at once.
    static let fatal = ["execve", "execveat", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev"]
}
