// Swift's `Mutex` for ThreadSanitizer, to be preloaded by `make sanitize`.
//
// The fast path of the lock is in the program, whose atomic operations ThreadSanitizer sees. The slow path is a futex in
// libswiftSynchronization, which it does not see: without this, it takes whatever a contended mutex guards for a race.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// Missing in programs that are not built for ThreadSanitizer, which tests start.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex
#define NAMED(name) __asm__(name)
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static void *original(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

SWIFT void lock_slow(uint32_t thread, SELF) NAMED(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF) {
    static SWIFT void (*lock)(uint32_t, SELF);
    if (!lock) lock = original(LOCK);
    lock(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool try_lock_slow(SELF) NAMED(TRY_LOCK);
SWIFT bool try_lock_slow(SELF) {
    static SWIFT bool (*lock)(SELF);
    if (!lock) lock = original(TRY_LOCK);
    bool is_locked = lock(mutex);
    if (is_locked && __tsan_acquire) __tsan_acquire(mutex);
    return is_locked;
}

SWIFT void unlock_slow(SELF) NAMED(UNLOCK);
SWIFT void unlock_slow(SELF) {
    static SWIFT void (*unlock)(SELF);
    if (!unlock) unlock = original(UNLOCK);
    if (__tsan_release) __tsan_release(mutex);
    unlock(mutex);
}
