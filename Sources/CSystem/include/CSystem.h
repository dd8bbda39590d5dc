#pragma once
#include <sys/types.h>

#include "files.h"

/// Starts `executable` with nothing inherited: no environment, no descriptors but one end of a socket as its standard input
/// and output, a process group of its own.
///
/// Returns 0 and gives the process and the other end of the socket, which does not block; else an errno value.
int spawn_isolated(const char *executable, char *const arguments[], pid_t *process, int *socket);
