#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

int cfiles_open(int folder, const char *name, int flags, mode_t mode) {
    int descriptor;
    do {
        descriptor = openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW, mode);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

int cfiles_rename_without_replacing(int folder, const char *name, int new_folder, const char *new_name) {
    if (renameat2(folder, name, new_folder, new_name, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    // Some file systems lack the flag. A hard link never replaces either.
    if (linkat(folder, name, new_folder, new_name, 0) == 0) return unlinkat(folder, name, 0);
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS) return -1;
    // exFAT by FUSE has neither; what is left is to look first.
    struct stat status;
    if (fstatat(new_folder, new_name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return -1;
    }
    return renameat(folder, name, new_folder, new_name);
}

int cfiles_lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

void cfiles_unlock(int descriptor) { (void)flock(descriptor, LOCK_UN); }

int cfiles_clone(int source, int target) { return ioctl(target, FICLONE, source); }

// From Linux 6.10 on whoever opened a file may link it by its descriptor alone, and before that some may.
int cfiles_link(int descriptor, int folder, const char *name) {
    if (linkat(descriptor, "", folder, name, AT_EMPTY_PATH) == 0) return 0;
    if (errno != ENOENT && errno != EINVAL && errno != EPERM) return -1;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW);
}

ssize_t cfiles_get_attribute(int descriptor, const char *name, void *value, size_t size) {
    return fgetxattr(descriptor, name, value, size);
}

int cfiles_set_attribute(int descriptor, const char *name, const void *value, size_t size) {
    return fsetxattr(descriptor, name, value, size, 0);
}

static atomic_bool has_room;

void cfiles_make_room(void) {
    int last = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 500);
    if (last >= 0) close(last);
    has_room = true;
}

bool cfiles_has_room(void) { return has_room; }
