#pragma once
#include "CSpawn.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The worker that was started before `main`; nil where the command line asks for none.
const struct spawned_process *early_worker(void);

/// The executable of that worker.
const char *early_worker_executable(void);

/// Whether that worker and this process have a processor each.
bool early_worker_is_apart(void);

/// Whether the command line is a download that was done of late, so that all its files are likely to be there.
bool early_download_is_recent(void);

/// A number for a command line, its arguments joined by zero bytes.
uint64_t command_number(const char *line, size_t count);

/// Whether a number is in a file of such numbers, eight bytes each with the lowest first.
bool command_is_recent(const char *path, uint64_t number);
