// System calls that Swift cannot make: those with variable arguments, and those that no header of its Glibc has.

#pragma once
// For malloc_trim.
#include <malloc.h>
#include <stddef.h>
#include <sys/types.h>

/// Opens a name below an open folder, never through a symbolic link at its end; -1 and errno where it cannot.
int open_below(int folder, const char *name, int flags, mode_t mode);

/// Renames unless the new name is taken, which is EEXIST also where the file system cannot say so by itself.
int rename_without_replacing(int folder, const char *name, int new_folder, const char *new_name);

/// Makes the second file share the first one's blocks; -1 where the file system cannot.
int clone_blocks(int source, int target);

/// Gives an open file another name.
int link_descriptor(int descriptor, int folder, const char *name);

/// An extended attribute's value, or -1.
ssize_t get_attribute(int descriptor, const char *name, void *value, size_t size);
int set_attribute(int descriptor, const char *name, const void *value, size_t size);

/// Starts `executable` with nothing inherited: no environment, no descriptors but one end of a socket as its standard input
/// and output, a process group of its own.
///
/// Returns 0 and gives the process and the other end of the socket, which does not block; else an errno value.
int spawn_isolated(const char *executable, char *const arguments[], pid_t *process, int *socket);

/// An open file in memory without a name, or -1.
int open_memory_file(void);

/// Limits the address space of a process in bytes; -1 where it cannot.
int limit_memory(pid_t process, size_t bytes);
