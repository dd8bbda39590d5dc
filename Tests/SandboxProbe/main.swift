import Glibc
import ScriptEngine

// Enters the sandbox, tries the one thing its argument names, and exits with what came of it: 0, or the errno value.

typealias Fork = @convention(c) () -> pid_t
typealias ThreadKill = @convention(c) (pid_t, pid_t, Int32) -> Int32
typealias MemoryFile = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32

/// A function that Swift's Glibc module leaves out.
func function<Function>(_ name: String, as type: Function.Type = Function.self) -> Function {
    unsafeBitCast(dlsym(nil, name), to: type)
}

/// More memory than the sandbox allows.
let plenty = 1 << 30

func isMapped(_ flags: Int32, bytes: Int = plenty) -> Bool {
    mmap(nil, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0) != MAP_FAILED
}

func attempt(_ name: String) -> Bool {
    switch name {
    case "open": open("/etc/passwd", O_RDONLY) >= 0
    case "create": open("/tmp/imgscript-probe", O_WRONLY | O_CREAT, 0o600) >= 0
    case "unlink": unlink("/tmp/imgscript-probe-that-is-not-there") == 0
    case "stat":
        {
            var status = stat()
            return stat("/etc/passwd", &status) == 0
        }()
    case "socket": socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0
    case "socketpair":
        {
            var ends: [Int32] = [0, 0]
            return socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0
        }()
    case "fork": function("fork", as: Fork.self)() >= 0
    case "exec":
        {
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            return execv("/bin/true", &arguments) == 0
        }()
    case "kill": kill(getppid(), 0) == 0
    case "kill by thread": function("tgkill", as: ThreadKill.self)(getppid(), getppid(), 0) == 0
    case "executable memory":
        mmap(nil, 4_096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED
    case "memory made executable":
        mprotect(
            mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4_096, PROT_READ | PROT_EXEC)
            == 0
    case "shared memory": isMapped(MAP_SHARED)
    case "shared memory, flags checked": isMapped(0x03)  // MAP_SHARED_VALIDATE
    case "memory that grows down": isMapped(MAP_PRIVATE | MAP_GROWSDOWN)
    case "private memory": isMapped(MAP_PRIVATE, bytes: 1 << 20)
    case "private memory without a reserve": isMapped(MAP_PRIVATE | MAP_NORESERVE)
    case "private memory made writable":
        mprotect(mmap(nil, plenty, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), plenty, PROT_READ | PROT_WRITE) == 0
    case "memory file": function("memfd_create", as: MemoryFile.self)("x", 0) >= 0
    case "more memory":
        {
            var limit = rlimit(rlim_cur: rlim_t.max, rlim_max: rlim_t.max)
            return setrlimit(Int32(RLIMIT_DATA.rawValue), &limit) == 0
        }()
    case "change folder": chdir("/") == 0
    case "duplicate descriptor": dup(0) >= 0
    case "thread":
        {
            var thread = pthread_t()
            errno = pthread_create(&thread, nil, { _ in nil }, nil)
            return errno == 0 && pthread_join(thread, nil) == 0
        }()
    case "wait for a signal":
        {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGUSR1)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            signal(SIGUSR1) { _ in }
            pthread_kill(pthread_self(), SIGUSR1)
            sigemptyset(&signals)
            sigsuspend(&signals)
            return errno == EINTR
        }()
    case "clock": time(nil) > 0
    default: false
    }
}

do {
    _ = try Sandbox(memory: 64 << 20).enter()
} catch {
    exit(255)
}
errno = 0
exit(attempt(CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "") ? 0 : errno)
