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
