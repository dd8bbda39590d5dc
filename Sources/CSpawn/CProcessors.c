// In C because sets of processors are macros, which Swift cannot import.
#define _GNU_SOURCE
#include "CSpawn.h"
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/// In milliseconds; a child starts in a tenth of it unless others keep the machine busy.
static const int longest_time_apart = 200;

static struct spawned_process child;
static cpu_set_t all;
static atomic_bool are_apart;

/// Lets every thread of this process run on all processors; true when all could already.
static bool spread_threads(void) {
    bool were_spread = true;
    DIR *threads = opendir("/proc/self/task");
    if (!threads) return true;
    for (struct dirent *entry; (entry = readdir(threads));) {
        pid_t thread = atoi(entry->d_name);
        cpu_set_t found;
        if (thread == 0 || sched_getaffinity(thread, sizeof found, &found) != 0 || CPU_EQUAL(&found, &all)) continue;
        if (sched_setaffinity(thread, sizeof all, &all) == 0) were_spread = false;
    }
    closedir(threads);
    return were_spread;
}

void share_processors(void) {
    if (!atomic_exchange(&are_apart, false)) return;
    sched_setaffinity(child.id, sizeof all, &all);
    // Again for threads that others have started meanwhile.
    for (int pass = 0; pass < 3 && !spread_threads(); pass++) {}
}

/// Waits until the child has something to say.
static void *wait_for_child(void *none) {
    struct pollfd output = { child.output, POLLIN, 0 };
    poll(&output, 1, longest_time_apart);
    share_processors();
    return none;
}

static bool start_waiting(void) {
    pthread_t thread;
    sigset_t every, before;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    bool has_started = pthread_create(&thread, NULL, wait_for_child, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (has_started) pthread_detach(thread);
    return has_started;
}

void keep_apart(const struct spawned_process *process) {
    // With more, the system finds a free one for each thread; with one, there is nothing to share out.
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) != 2) return;
    int current = sched_getcpu();
    if (current < 0 || !CPU_ISSET(current, &all)) return;
    cpu_set_t own, other = all;
    CPU_ZERO(&own);
    CPU_SET(current, &own);
    CPU_CLR(current, &other);
    child = *process;
    atomic_store(&are_apart, true);
    sched_setaffinity(child.id, sizeof other, &other);
    sched_setaffinity(0, sizeof own, &own);
    if (!start_waiting()) share_processors();
}
