// In C because sets of processors are macros, which Swift cannot import.
#define _GNU_SOURCE
#include "CSpawn.h"
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/// Twice what a start and its first answer take, unless others keep the machine busy.
static const struct timespec time_apart = { 0, 40 * 1000 * 1000 };

static pid_t child;
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
    sched_setaffinity(child, sizeof all, &all);
    // Again for threads that others have started meanwhile.
    for (int pass = 0; pass < 3 && !spread_threads(); pass++) {}
}

static void *share_processors_soon(void *none) {
    nanosleep(&time_apart, NULL);
    share_processors();
    return none;
}

static bool start_waiting(void) {
    pthread_t thread;
    sigset_t every, before;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    bool has_started = pthread_create(&thread, NULL, share_processors_soon, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (has_started) pthread_detach(thread);
    return has_started;
}

int running_threads(const char *figures) {
    int running, all_threads;
    // After three averages stands how many threads run, or would, at this moment, of how many there are.
    return sscanf(figures, "%*f %*f %*f %d/%d", &running, &all_threads) == 2 ? running : -1;
}

bool nothing_else_runs(int own) {
    FILE *load = fopen("/proc/loadavg", "re");
    if (!load) return false;
    char figures[128] = "";
    int running = fgets(figures, sizeof figures, load) ? running_threads(figures) : -1;
    fclose(load);
    return running >= 0 && running <= own;
}

bool keep_apart(pid_t started) {
    // With more, the system finds a free one for each thread; with one, there is nothing to share out.
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) != 2) return false;
    int current = sched_getcpu();
    if (current < 0 || !CPU_ISSET(current, &all)) return false;
    cpu_set_t own, other = all;
    CPU_ZERO(&own);
    CPU_SET(current, &own);
    CPU_CLR(current, &other);
    child = started;
    atomic_store(&are_apart, true);
    sched_setaffinity(child, sizeof other, &other);
    sched_setaffinity(0, sizeof own, &own);
    bool has_started = start_waiting();
    if (!has_started) share_processors();
    return has_started;
}
