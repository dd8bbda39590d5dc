import Dispatch
import Glibc

/// The user's browser.
enum Browser {
    /// Opens an address with the desktop's `xdg-open`, where there is one; it is not waited for.
    static func open(_ address: String) {
        // Without a display, xdg-open may start a browser in the terminal.
        guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else { return }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in STDIN_FILENO...STDERR_FILENO {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A process group of its own: Ctrl-C is meant for the gallery.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        let arguments = [strdup("xdg-open"), strdup(address), nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        // Where it is not installed, the address that was printed has to do.
        guard posix_spawnp(&process, "xdg-open", &actions, &attributes, arguments, environ) == 0 else { return }
        let child = process
        // It is collected when it ends.
        DispatchQueue.global().async { _ = waitpid(child, nil, 0) }
    }
}
