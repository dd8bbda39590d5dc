// What is done before `main`. The worker is started: it takes longest to be ready, and the Swift runtime has milliseconds
// of its own to spend until then. What is guessed here is judged again where all is known; a wrong guess costs time, nothing
// else.
#include "CEarlyStart.h"
#include "CFiles.h"
#include "CLargePages.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct spawned_process worker;
static char executable[PATH_MAX];
static bool has_started;
static bool is_apart;
static bool is_recent;

uint64_t command_number(const char *line, size_t count) {
    // FNV-1a: the numbers need only differ.
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t index = 0; index < count; index++) hash = (hash ^ (unsigned char)line[index]) * 0x100000001b3;
    return hash;
}

bool command_is_recent(const char *path, uint64_t number) {
    unsigned char bytes[4096];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t count = read(file, bytes, sizeof bytes);
    close(file);
    for (ssize_t start = 0; start + 8 <= count; start += 8) {
        uint64_t found = 0;
        for (int index = 7; index >= 0; index--) found = found << 8 | bytes[start + index];
        if (found == number) return true;
    }
    return false;
}

static bool contains(char **arguments, const char *wanted) {
    for (; *arguments; arguments++)
        if (strcmp(*arguments, wanted) == 0) return true;
    return false;
}

/// Whether the command runs a provider's script for sure.
static bool needs_worker(char **arguments) {
    const char *command = arguments[0] ? arguments[1] : NULL;
    if (!command || (strcmp(command, "search") && strcmp(command, "feed") && strcmp(command, "show"))) return false;
    return !contains(arguments, "--help") && !contains(arguments, "-h");
}

/// Whether this command line is among those that were answered of late.
static bool was_answered(int count, char **arguments) {
    // The arguments lie one behind the other, each with a zero byte at its end.
    const char *last = arguments[count - 1];
    uint64_t number = command_number(arguments[0], last + strlen(last) - arguments[0]);
    char path[PATH_MAX];
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *folder = "";
    if (!cache || cache[0] != '/') (cache = home ? home : "", folder = "/.cache");
    int length = snprintf(path, sizeof path, "%s%s/imgscript/recent-commands", cache, folder);
    return length < (int)sizeof path && command_is_recent(path, number);
}

/// Whether the answers to this command line are likely to be stored, so that no worker may be needed.
static bool is_likely_stored(int count, char **arguments) {
    return !contains(arguments, "--no-cache") && !contains(arguments, "--refresh") && was_answered(count, arguments);
}

/// Cuts a path's last part off.
static bool leave(char *path) {
    char *slash = strrchr(path, '/');
    if (slash) *slash = 0;
    return slash != NULL;
}

/// Finds the worker's executable: the one named, else beside this program, else where `make install` puts it.
static bool find_executable(void) {
    const char *named = getenv("IMGSCRIPT_WORKER");
    if (named && *named) return snprintf(executable, sizeof executable, "%s", named) < (int)sizeof executable;
    char folder[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    if (length < 0) return false;
    folder[length] = 0;
    for (int depth = 0; depth < 2; depth++) {
        const char *part = depth == 0 ? "imgscript-worker" : "libexec/imgscript/imgscript-worker";
        if (!leave(folder)) return false;
        if (snprintf(executable, sizeof executable, "%s/%s", folder, part) >= (int)sizeof executable) return false;
        if (access(executable, X_OK) == 0) return true;
    }
    return false;
}

/// Fills the numbers of standard streams that are closed, so that none of this process's files, pipes and databases gets one:
/// what is said on the error output would be written into it.
///
/// Reading from these and writing to them fails as it does on what is closed.
static void hold_standard_streams(void) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        // A new descriptor has the lowest number that is free.
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// Before all other constructors, which set up what a spawn has no use for.
__attribute__((constructor(101))) static void start(int count, char **arguments) {
    hold_standard_streams();
    if (count < 2 || !needs_worker(arguments) || is_likely_stored(count, arguments) || !find_executable()) return;
    read_code_in_large_pages(executable);
    // The memory in megabytes that a script gets unless told otherwise.
    char *const worker_arguments[] = { "imgscript-worker", "256", NULL };
    bool is_alone = nothing_else_runs(1);
    has_started = spawn_isolated(executable, worker_arguments, &worker) == 0;
    if (!has_started) return;
    // What ran before may have been whoever started this program, about to wait for it.
    is_alone = is_alone || nothing_else_runs(2);
    is_apart = is_alone && keep_apart(worker.id);
    if (is_apart) return;
    // The worker woke this process in the middle of `exec` and waits behind it, on the same processor, for the longer start.
    sched_yield();
}

// A download takes longer than its start, and is not to take much memory. This comes after the hint to read the code in
// large pages, which all later starts gain from.
__attribute__((constructor(102))) static void prepare_download(int count, char **arguments) {
    if (count < 2 || strcmp(arguments[1], "download")) return;
    map_code_in_small_pages();
    cfiles_make_room();
    is_recent = was_answered(count, arguments);
}

bool early_download_is_recent(void) { return is_recent; }

const struct spawned_process *early_worker(void) { return has_started ? &worker : NULL; }

bool early_worker_is_apart(void) { return is_apart; }

const char *early_worker_executable(void) { return executable; }
