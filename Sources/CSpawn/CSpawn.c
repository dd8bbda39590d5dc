// In C because `pipe2`, `addclosefrom_np` and `F_SETPIPE_SZ` are GNU extensions, which Swift's Glibc module leaves out.
#define _GNU_SOURCE
#include "CSpawn.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <time.h>
#include <unistd.h>

/// A page's body then crosses in one or two steps; where the system grants less, it takes more.
static const int pipe_size = 1 << 18;

static void make_ready(int descriptor) {
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    fcntl(descriptor, F_SETPIPE_SZ, pipe_size);
}

static int spawn(const char *executable, char *const arguments[], int input, int output, pid_t *id) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    char *const environment[] = { NULL };

    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    posix_spawnattr_init(&attributes);
    // Ctrl-C in the terminal is for the parent, which ends its children itself.
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    int result = posix_spawn(id, executable, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

ssize_t write_without_signal(int descriptor, const void *bytes, size_t count) {
    sigset_t pipe, before, pending;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    sigpending(&pending);
    ssize_t written = write(descriptor, bytes, count);
    int code = errno;
    // The signal of this write is taken back; one that somebody else is waiting for stays.
    if (written < 0 && code == EPIPE && !sigismember(&pending, SIGPIPE)) {
        const struct timespec now = { 0, 0 };
        while (sigtimedwait(&pipe, NULL, &now) < 0 && errno == EINTR) {}
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return written;
}

int spawn_isolated(const char *executable, char *const arguments[], struct spawned_process *process) {
    int to_child[2], from_child[2];
    // A child inherits the processors of the thread that starts it.
    share_processors();
    if (pipe2(to_child, O_CLOEXEC) != 0) return errno;
    if (pipe2(from_child, O_CLOEXEC) != 0) {
        int code = errno;
        close(to_child[0]);
        close(to_child[1]);
        return code;
    }
    int result = spawn(executable, arguments, to_child[0], from_child[1], &process->id);
    close(to_child[0]);
    close(from_child[1]);
    if (result != 0) {
        close(to_child[1]);
        close(from_child[0]);
        return result;
    }
    process->input = to_child[1];
    process->output = from_child[0];
    make_ready(process->input);
    make_ready(process->output);
    return 0;
}
