#include "CLibArchive.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>

// Every function of the library that is used, found by name.
#define FUNCTIONS(F)                                                                                                   \
    F(struct archive *, read_new, (void))                                                                              \
    F(int, read_support_filter_gzip, (struct archive *))                                                               \
    F(int, read_support_format_raw, (struct archive *))                                                                \
    F(int, read_support_format_tar, (struct archive *))                                                                \
    F(int, read_open_memory, (struct archive *, const void *, size_t))                                                 \
    F(int, read_next_header, (struct archive *, struct archive_entry **))                                              \
    F(la_ssize_t, read_data, (struct archive *, void *, size_t))                                                       \
    F(int, read_free, (struct archive *))                                                                              \
    F(la_int64_t, filter_bytes, (struct archive *, int))                                                               \
    F(const char *, error_string, (struct archive *))                                                                  \
    F(struct archive_entry *, entry_new, (void))                                                                       \
    F(void, entry_free, (struct archive_entry *))                                                                      \
    F(const char *, entry_pathname, (struct archive_entry *))                                                          \
    F(const char *, entry_hardlink, (struct archive_entry *))                                                          \
    F(__LA_MODE_T, entry_filetype, (struct archive_entry *))                                                           \
    F(la_int64_t, entry_size, (struct archive_entry *))                                                                \
    F(void, entry_copy_pathname, (struct archive_entry *, const char *))                                               \
    F(void, entry_set_filetype, (struct archive_entry *, unsigned int))                                                \
    F(void, entry_set_perm, (struct archive_entry *, __LA_MODE_T))                                                     \
    F(void, entry_set_size, (struct archive_entry *, la_int64_t))                                                      \
    F(struct archive *, write_disk_new, (void))                                                                        \
    F(int, write_disk_set_options, (struct archive *, int))                                                            \
    F(int, write_header, (struct archive *, struct archive_entry *))                                                   \
    F(la_ssize_t, write_data, (struct archive *, const void *, size_t))                                                \
    F(int, write_finish_entry, (struct archive *))                                                                     \
    F(int, write_close, (struct archive *))                                                                            \
    F(int, write_free, (struct archive *))

static struct {
#define MEMBER(result, name, arguments) result(*name) arguments;
    FUNCTIONS(MEMBER)
#undef MEMBER
} library;
// Not in the list above, where a macro of the system's would take its name apart.
static int (*error_number)(struct archive *);

const int clibarchive_eof = ARCHIVE_EOF, clibarchive_ok = ARCHIVE_OK;
const unsigned clibarchive_file = AE_IFREG, clibarchive_folder = AE_IFDIR, clibarchive_symlink = AE_IFLNK;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256];
static locale_t plain;

static void load(void) {
    void *handle = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(problem, sizeof problem, "libarchive.so.13 was not found; install libarchive13 or libarchive13t64");
        return;
    }
#define FIND(result, name, arguments)                                                                                  \
    *(void **)&library.name = dlsym(handle, "archive_" #name);                                                         \
    if (!library.name) {                                                                                               \
        snprintf(problem, sizeof problem, "libarchive.so.13 has no archive_%s; 3.3 or newer is needed", #name);        \
        return;                                                                                                        \
    }
    FUNCTIONS(FIND)
#undef FIND
    *(void **)&error_number = dlsym(handle, "archive_errno");
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) snprintf(problem, sizeof problem, "libarchive cannot be used without memory for a locale");
}

const char *clibarchive_load(void) {
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

clibarchive clibarchive_gzip_reader(void) {
    clibarchive archive = library.read_new();
    if (!archive) return NULL;
    library.read_support_filter_gzip(archive);
    library.read_support_format_raw(archive);
    return archive;
}

clibarchive clibarchive_tar_reader(void) {
    clibarchive archive = library.read_new();
    if (!archive) return NULL;
    library.read_support_format_tar(archive);
    return archive;
}

int clibarchive_open(clibarchive archive, const void *bytes, size_t count) {
    return library.read_open_memory(archive, bytes, count);
}

void clibarchive_read_free(clibarchive archive) { library.read_free(archive); }

// Names are translated into the locale's characters, and whether that works depends on the machine; not in this one.
int clibarchive_next(clibarchive archive, clibarchive_entry *entry) {
    locale_t before = uselocale(plain);
    int code = library.read_next_header(archive, entry);
    uselocale(before);
    return code == ARCHIVE_WARN ? ARCHIVE_OK : code;
}

ssize_t clibarchive_read(clibarchive archive, void *buffer, size_t size) {
    return library.read_data(archive, buffer, size);
}

int64_t clibarchive_used(clibarchive archive) { return library.filter_bytes(archive, -1); }
const char *clibarchive_error_text(clibarchive archive) { return library.error_string(archive); }
int clibarchive_error_number(clibarchive archive) { return error_number ? error_number(archive) : 0; }

const char *clibarchive_entry_name(clibarchive_entry entry) {
    locale_t before = uselocale(plain);
    const char *name = library.entry_pathname(entry);
    uselocale(before);
    return name;
}

const char *clibarchive_entry_hardlink(clibarchive_entry entry) {
    locale_t before = uselocale(plain);
    const char *name = library.entry_hardlink(entry);
    uselocale(before);
    return name;
}

unsigned clibarchive_entry_type(clibarchive_entry entry) { return library.entry_filetype(entry); }
int64_t clibarchive_entry_size(clibarchive_entry entry) { return library.entry_size(entry); }

clibarchive clibarchive_open_disk(void) {
    clibarchive disk = library.write_disk_new();
    if (!disk) return NULL;
    library.write_disk_set_options(
        disk, ARCHIVE_EXTRACT_SECURE_SYMLINKS | ARCHIVE_EXTRACT_SECURE_NODOTDOT | ARCHIVE_EXTRACT_NO_OVERWRITE);
    return disk;
}

int clibarchive_add_file(clibarchive disk, const char *path, int64_t size) {
    struct archive_entry *entry = library.entry_new();
    if (!entry) return ARCHIVE_FATAL;
    library.entry_copy_pathname(entry, path);
    library.entry_set_filetype(entry, AE_IFREG);
    library.entry_set_perm(entry, 0644);
    library.entry_set_size(entry, size);
    int code = library.write_header(disk, entry);
    library.entry_free(entry);
    return code;
}

ssize_t clibarchive_write(clibarchive disk, const void *bytes, size_t count) {
    return library.write_data(disk, bytes, count);
}

int clibarchive_finish_entry(clibarchive disk) { return library.write_finish_entry(disk); }
int clibarchive_close(clibarchive disk) { return library.write_close(disk); }
void clibarchive_write_free(clibarchive disk) { library.write_free(disk); }
