#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

int open_below(int folder, const char *name, int flags, mode_t mode) {
    int descriptor;
    do {
        descriptor = openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW, mode);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

int rename_without_replacing(int folder, const char *name, int new_folder, const char *new_name) {
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

int clone_blocks(int source, int target) { return ioctl(target, FICLONE, source); }

// From Linux 6.10 on the process that opened a file may link it by its descriptor alone, and before that some may.
int link_descriptor(int descriptor, int folder, const char *name) {
    if (linkat(descriptor, "", folder, name, AT_EMPTY_PATH) == 0) return 0;
    if (errno != ENOENT && errno != EINVAL && errno != EPERM) return -1;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW);
}

ssize_t get_attribute(int descriptor, const char *name, void *value, size_t size) {
    return fgetxattr(descriptor, name, value, size);
}

int set_attribute(int descriptor, const char *name, const void *value, size_t size) {
    return fsetxattr(descriptor, name, value, size, 0);
}
