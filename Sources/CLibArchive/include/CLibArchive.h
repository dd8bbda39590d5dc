// libarchive, loaded when it is first needed: it brings libxml2 and ICU along, and few runs unpack anything.

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// An archive that is read or written, and one thing in it.
typedef struct archive *clibarchive;
typedef struct archive_entry *clibarchive_entry;

// What a call gave; anything else is a failure.
extern const int clibarchive_eof, clibarchive_ok;

// What an entry is, as `st_mode` says it.
extern const unsigned clibarchive_file, clibarchive_folder, clibarchive_symlink;

// Loads the library once; null when it can be used, otherwise what went wrong. Nothing else may be called before.
const char *clibarchive_load(void);

// Readers of one gzip stream, and of a tar archive; null without memory.
clibarchive clibarchive_gzip_reader(void);
clibarchive clibarchive_tar_reader(void);
// Begins with bytes in memory, which stay the caller's.
int clibarchive_open(clibarchive archive, const void *bytes, size_t count);
void clibarchive_read_free(clibarchive archive);
// Gives `clibarchive_ok` also where the library warns: of letters that a locale does not have, which nobody asks for.
int clibarchive_next(clibarchive archive, clibarchive_entry *entry);
ssize_t clibarchive_read(clibarchive archive, void *buffer, size_t size);
// How many of the bytes have been used up.
int64_t clibarchive_used(clibarchive archive);
const char *clibarchive_error_text(clibarchive archive);
// The errno value beneath; 0 or less where there is none.
int clibarchive_error_number(clibarchive archive);

// The name as it stands in the archive, byte for byte, whatever the locale is; null where there is none.
const char *clibarchive_entry_name(clibarchive_entry entry);
// What a hard link leads to; null where the entry is none.
const char *clibarchive_entry_hardlink(clibarchive_entry entry);
unsigned clibarchive_entry_type(clibarchive_entry entry);
int64_t clibarchive_entry_size(clibarchive_entry entry);

// A writer to the disk which follows no symbolic link, takes no `..` and overwrites nothing; null without memory.
clibarchive clibarchive_open_disk(void);
int clibarchive_add_file(clibarchive disk, const char *path, int64_t size);
ssize_t clibarchive_write(clibarchive disk, const void *bytes, size_t count);
int clibarchive_finish_entry(clibarchive disk);
// Ends the writing; what has not been said before is said here.
int clibarchive_close(clibarchive disk);
void clibarchive_write_free(clibarchive disk);
