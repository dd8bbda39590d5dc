import Glibc
import WorkerProtocol

/// Reports to the host which limit caused a crash of the engine.
///
/// The engine does not report that memory ran out: it traps wherever an allocation fails. At that moment the system has just
/// refused memory, or little of it is left, or the address is one that `AddressReserve` closed; in other crashes none of
/// these holds.
enum CrashReport {
    nonisolated(unsafe) private static var closed: (start: UInt, end: UInt) = (0, 0)
    nonisolated(unsafe) private static var probe = 0
    /// Whether the script that is running has passed its time limit; a crash is then part of stopping it.
    nonisolated(unsafe) static var timeHasPassed = false

    /// Takes over the signals of a crash.
    ///
    /// `reserves` are the closed addresses, `memory` the limit in bytes.
    static func install(reserves: Range<Int>?, memory: Int) {
        closed = (UInt(reserves?.lowerBound ?? 0), UInt(reserves?.upperBound ?? 0))
        probe = memory / 2
        // A stack of its own: the script's may be what is exhausted.
        let size = 64 << 10
        var stack = stack_t(
            ss_sp: UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16), ss_flags: 0, ss_size: size)
        sigaltstack(&stack, nil)
        for signal in [SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGTRAP] {
            var action = sigaction()
            action.__sigaction_handler.sa_sigaction = handle
            // Once: what is not explained here crashes again, as it would have.
            action.sa_flags = SA_SIGINFO | SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND))
            sigaction(signal, &action, nil)
        }
    }

    private static let handle:
        @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void = {
            _, details, _ in
            let address = UInt(bitPattern: details?.pointee._sifields._sigfault.si_addr)
            if errno == ENOMEM || address >= closed.start && address < closed.end {
                _exit(ScriptLimit.memoryExitStatus)
            }
            if timeHasPassed { _exit(ScriptLimit.timeExitStatus) }
            let room = mmap(nil, probe, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            if room == MAP_FAILED { _exit(ScriptLimit.memoryExitStatus) }
        }
}
