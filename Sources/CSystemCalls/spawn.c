// In C because `posix_spawn_file_actions_addclosefrom_np` is left out of Swift's Glibc module.
#define _GNU_SOURCE
#include "CSystemCalls.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static int spawn(const char *executable, char *const arguments[], int socket, pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    char *const environment[] = { NULL };

    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    posix_spawnattr_init(&attributes);
    // Ctrl-C in the terminal is for the parent, which ends its children itself.
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    int result = posix_spawn(process, executable, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

int spawn_isolated(const char *executable, char *const arguments[], pid_t *process, int *parent) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    int result = spawn(executable, arguments, ends[1], process);
    close(ends[1]);
    if (result != 0) {
        close(ends[0]);
        return result;
    }
    *parent = ends[0];
    return 0;
}

int open_memory_file(void) { return memfd_create("input", MFD_CLOEXEC); }

int limit_memory(pid_t process, size_t bytes) {
    struct rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
    return prlimit(process, RLIMIT_AS, &limit, NULL);
}
