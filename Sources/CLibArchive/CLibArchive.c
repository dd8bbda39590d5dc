#include "CLibArchive.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

typedef struct archive Archive;
typedef struct archive_entry Entry;

// Every function of the library that is used. Their types are those of its own headers.
#define FUNCTIONS(F)                                                                                                   \
    F(entry_filetype) F(entry_hardlink) F(entry_pathname) F(entry_size) F(error_string) F(filter_bytes) F(read_data)   \
    F(read_free) F(read_new) F(read_next_header) F(read_open_memory) F(read_support_format_tar) F(version_string)

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
int archive_read_support_format_tar(Archive *archive) { return library.read_support_format_tar(archive); }
int archive_read_open_memory(Archive *archive, const void *bytes, size_t size) {
    return library.read_open_memory(archive, bytes, size);
}
int archive_read_next_header(Archive *archive, Entry **entry) { return library.read_next_header(archive, entry); }
la_ssize_t archive_read_data(Archive *archive, void *bytes, size_t size) {
    return library.read_data(archive, bytes, size);
}
la_int64_t archive_filter_bytes(Archive *archive, int filter) { return library.filter_bytes(archive, filter); }
const char *archive_error_string(Archive *archive) { return library.error_string(archive); }

const char *archive_entry_pathname(Entry *entry) { return library.entry_pathname(entry); }
const char *archive_entry_hardlink(Entry *entry) { return library.entry_hardlink(entry); }
__LA_MODE_T archive_entry_filetype(Entry *entry) { return library.entry_filetype(entry); }
la_int64_t archive_entry_size(Entry *entry) { return library.entry_size(entry); }
