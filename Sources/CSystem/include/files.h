// File functions that Swift cannot call: system calls with variable arguments, and those no header of its Glibc has.

#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Opens a name below an open folder, never through a symbolic link at its end; -1 and errno where it cannot.
int cfiles_open(int folder, const char *name, int flags, mode_t mode);

// Renames unless the new name is taken, which is EEXIST also where the file system cannot say so by itself.
int cfiles_rename_without_replacing(int folder, const char *name, int new_folder, const char *new_name);

// Takes the whole file's lock of this open file (not of the process); -1 and EWOULDBLOCK where somebody has it.
int cfiles_lock(int descriptor);

// Gives that lock back.
void cfiles_unlock(int descriptor);

// Makes the second file share the first one's blocks; -1 where the file system cannot.
int cfiles_clone(int source, int target);

// Gives an open file another name.
int cfiles_link(int descriptor, int folder, const char *name);

// An extended attribute's value, or -1.
ssize_t cfiles_get_attribute(int descriptor, const char *name, void *value, size_t size);
int cfiles_set_attribute(int descriptor, const char *name, const void *value, size_t size);

// Has the process take room for five hundred open files, of which it has 64 at first.
//
// To make more, the system waits until none of the process's threads can see the old table any more, 20 ms each time; as long
// as there is but one thread, it need not wait.
void cfiles_make_room(void);

// Whether that was done.
bool cfiles_has_room(void);
