#include "CLibArchive.h"

#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>

typedef struct archive Archive;
typedef struct archive_entry Entry;

// Every function of the library that is used. Their types are those of its own headers.
#define FUNCTIONS(F)                                                                                                   \
    F(entry_filetype) F(entry_free) F(entry_hardlink) F(entry_mtime) F(entry_new) F(entry_pathname)                    \
    F(entry_set_filetype) F(entry_set_mtime) F(entry_set_pathname) F(entry_set_perm) F(entry_set_size) F(entry_size)   \
    F(errno) F(error_string) F(filter_bytes) F(read_data) F(read_free) F(read_new) F(read_next_header) F(read_open_fd) \
    F(read_open_memory) F(read_support_format_tar) F(read_support_format_zip_seekable) F(version_string)               \
    F(write_close) F(write_data) F(write_finish_entry) F(write_free) F(write_header) F(write_new) F(write_open_fd)     \
    F(write_set_format_zip) F(write_zip_set_compression_store)

static struct {
#define MEMBER(name) __typeof__(archive_##name) *name;
    FUNCTIONS(MEMBER)
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256];

static void load(void) {
    void *handle = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(problem, sizeof problem, "%s", dlerror());
        return;
    }
#define FIND(name)                                                                                                     \
    if (!(library.name = (__typeof__(archive_##name) *)dlsym(handle, "archive_" #name)))                               \
        snprintf(problem, sizeof problem, "libarchive.so.13 has no function archive_" #name);
    FUNCTIONS(FIND)
}

const char *clibarchive_load(void) {
    pthread_once(&once, load);
    return *problem ? problem : NULL;
}

const char *archive_version_string(void) { return clibarchive_load() ? problem : library.version_string(); }

Archive *archive_read_new(void) { return clibarchive_load() ? NULL : library.read_new(); }
int archive_read_free(Archive *archive) { return library.read_free(archive); }
int archive_read_support_format_zip_seekable(Archive *archive) {
    return library.read_support_format_zip_seekable(archive);
}
int archive_read_open_fd(Archive *archive, int descriptor, size_t block) {
    return library.read_open_fd(archive, descriptor, block);
}
int archive_read_support_format_tar(Archive *archive) { return library.read_support_format_tar(archive); }
int archive_read_open_memory(Archive *archive, const void *bytes, size_t size) {
    return library.read_open_memory(archive, bytes, size);
}
int archive_read_next_header(Archive *archive, Entry **entry) { return library.read_next_header(archive, entry); }
la_ssize_t archive_read_data(Archive *archive, void *bytes, size_t size) {
    return library.read_data(archive, bytes, size);
}
la_int64_t archive_filter_bytes(Archive *archive, int filter) { return library.filter_bytes(archive, filter); }
int archive_errno(Archive *archive) { return library.errno(archive); }
const char *archive_error_string(Archive *archive) { return library.error_string(archive); }

const char *archive_entry_pathname(Entry *entry) { return library.entry_pathname(entry); }
const char *archive_entry_hardlink(Entry *entry) { return library.entry_hardlink(entry); }
__LA_MODE_T archive_entry_filetype(Entry *entry) { return library.entry_filetype(entry); }
la_int64_t archive_entry_size(Entry *entry) { return library.entry_size(entry); }
time_t archive_entry_mtime(Entry *entry) { return library.entry_mtime(entry); }

Archive *archive_write_new(void) { return clibarchive_load() ? NULL : library.write_new(); }
int archive_write_free(Archive *archive) { return library.write_free(archive); }
int archive_write_set_format_zip(Archive *archive) { return library.write_set_format_zip(archive); }
int archive_write_zip_set_compression_store(Archive *archive) {
    return library.write_zip_set_compression_store(archive);
}
int archive_write_open_fd(Archive *archive, int descriptor) { return library.write_open_fd(archive, descriptor); }
int archive_write_header(Archive *archive, Entry *entry) {
    // The library takes names for UTF-8, and says so in the archive, only where the locale is one of UTF-8.
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;
    int code = library.write_header(archive, entry);
    if (utf8) {
        uselocale(before);
        freelocale(utf8);
    }
    return code;
}
la_ssize_t archive_write_data(Archive *archive, const void *bytes, size_t size) {
    return library.write_data(archive, bytes, size);
}
int archive_write_finish_entry(Archive *archive) { return library.write_finish_entry(archive); }
int archive_write_close(Archive *archive) { return library.write_close(archive); }

Entry *archive_entry_new(void) { return clibarchive_load() ? NULL : library.entry_new(); }
void archive_entry_free(Entry *entry) { library.entry_free(entry); }
void archive_entry_set_pathname(Entry *entry, const char *name) { library.entry_set_pathname(entry, name); }
void archive_entry_set_size(Entry *entry, la_int64_t size) { library.entry_set_size(entry, size); }
void archive_entry_set_filetype(Entry *entry, unsigned int type) { library.entry_set_filetype(entry, type); }
void archive_entry_set_perm(Entry *entry, __LA_MODE_T mode) { library.entry_set_perm(entry, mode); }
void archive_entry_set_mtime(Entry *entry, time_t seconds, long nanoseconds) {
    library.entry_set_mtime(entry, seconds, nanoseconds);
}
