#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
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

int cfiles_open_nameless(int folder) {
    int descriptor;
    do {
        descriptor = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

// A folder cannot be opened for writing, which a lock that excludes others would need: so whoever comes takes one that
// many may have, and looks whether somebody else has one.
int cfiles_claim(int folder, int64_t place) {
    struct flock own = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
    return fcntl(folder, F_OFD_SETLK, &own);
}

int cfiles_others_claim(int folder, int64_t place) {
    struct flock other = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
    if (fcntl(folder, F_OFD_GETLK, &other) != 0) return -1;
    return other.l_type != F_UNLCK;
}

void cfiles_give_up(int folder, int64_t place) {
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
    (void)fcntl(folder, F_OFD_SETLK, &lock);
}

// Claims are of smaller numbers.
static const int64_t presence = (int64_t)1 << 62;

int cfiles_enter(int folder) { return cfiles_claim(folder, presence); }

bool cfiles_is_alone(int folder) { return cfiles_others_claim(folder, presence) == 0; }

bool cfiles_is_of_this_machine(int descriptor) {
    struct statfs system;
    if (fstatfs(descriptor, &system) != 0) return false;
    switch (system.f_type) {
    case EXT4_SUPER_MAGIC:
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case OVERLAYFS_SUPER_MAGIC:
        return true;
    default:
        return false;
    }
}

uint64_t cfiles_load(const uint64_t *number) { return atomic_load((const _Atomic uint64_t *)number); }

void cfiles_unlock(int descriptor) { (void)flock(descriptor, LOCK_UN); }

int cfiles_clone(int source, int target) { return ioctl(target, FICLONE, source); }

// From Linux 6.10 on whoever opened a file may name it by its descriptor alone, and before that some may.
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
