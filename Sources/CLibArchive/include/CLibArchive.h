#pragma once

#include <archive.h>
#include <archive_entry.h>

// libarchive and the ten libraries behind it take a fifth of the time in which the program starts, and only packs and
// downloads into ZIP archives need them. So they are loaded when the first archive is read or written: CLibArchive.c defines the functions that are used,
// each a call of the library's own.

/// Loads the library; NULL, or why it cannot be loaded.
///
/// Called before any function that makes an archive; the others are called with what those return.
const char *clibarchive_load(void);
