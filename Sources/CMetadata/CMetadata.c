#define _GNU_SOURCE
#include "CMetadata.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

typedef void Image;
typedef struct {
    unsigned domain;
    int code;
    char *message;
} Problem;

// Every function of the library that is used, found by name, as of libgexiv2 0.12.2 and after.
#define FUNCTIONS(F)                                                                                                   \
    F(int, gexiv2_initialize, (void))                                                                                  \
    F(void, gexiv2_log_set_level, (int))                                                                               \
    F(Image *, gexiv2_metadata_new, (void))                                                                            \
    F(int, gexiv2_metadata_open_path, (Image *, const char *, Problem **))                                             \
    F(int, gexiv2_metadata_save_file, (Image *, const char *, Problem **))                                             \
    F(int, gexiv2_metadata_get_supports_xmp, (Image *))                                                                \
    F(int, gexiv2_metadata_has_iptc, (Image *))                                                                        \
    F(char *, gexiv2_metadata_try_get_tag_string, (Image *, const char *, Problem **))                                 \
    F(int, gexiv2_metadata_try_set_tag_string, (Image *, const char *, const char *, Problem **))                      \
    F(int, gexiv2_metadata_try_set_tag_multiple, (Image *, const char *, const char **, Problem **))                   \
    F(int, gexiv2_metadata_try_set_xmp_tag_struct, (Image *, const char *, int, Problem **))                           \
    F(int, gexiv2_metadata_try_register_xmp_namespace, (const char *, const char *, Problem **))                       \
    F(void, g_object_unref, (void *))                                                                                  \
    F(void, g_error_free, (Problem *))                                                                                 \
    F(void, g_free, (void *))

static struct {
#define MEMBER(result, name, arguments) result(*name) arguments;
    FUNCTIONS(MEMBER)
#undef MEMBER
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char missing[256];

// The library's XMP parser is one for all, and a picture is in memory as a whole: one after another.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void load(void) {
    void *handle = dlopen("libgexiv2.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(missing, sizeof missing,
                 "libgexiv2.so.2 was not found; install libgexiv2-2 (Debian, Ubuntu) or libgexiv2 (Fedora, Arch)");
        return;
    }
#define FIND(result, name, arguments)                                                                                  \
    *(void **)&library.name = dlsym(handle, #name);                                                                    \
    if (!library.name) {                                                                                               \
        snprintf(missing, sizeof missing, "libgexiv2.so.2 has no %s; libgexiv2 0.14 or newer is needed", #name);       \
        return;                                                                                                        \
    }
    FUNCTIONS(FIND)
#undef FIND
    const int mute = 4;
    library.gexiv2_log_set_level(mute);
    if (!library.gexiv2_initialize()) snprintf(missing, sizeof missing, "libgexiv2 did not start");
}

const char *cmetadata_load(void) {
    pthread_once(&once, load);
    return missing[0] ? missing : NULL;
}

int cmetadata_scratch(void) { return memfd_create("imgscript-metadata", MFD_CLOEXEC); }

static int fail(Problem *found, const char *otherwise, char *problem, size_t size) {
    snprintf(problem, size, "%s", found && found->message ? found->message : otherwise);
    if (found) library.g_error_free(found);
    return -1;
}

static int has(Image *image, const char *tag) {
    Problem *found = NULL;
    char *value = library.gexiv2_metadata_try_get_tag_string(image, tag, &found);
    int is_there = value && value[0];
    if (value) library.g_free(value);
    if (found) library.g_error_free(found);
    return is_there;
}

static int add(Image *image, const struct cmetadata_field *field, Problem **found) {
    if (field->kind == CMETADATA_LIST) {
        const char *values[] = {field->value, NULL};
        return library.gexiv2_metadata_try_set_tag_multiple(image, field->tag, values, found);
    }
    // `Xmp.plus.Licensor[1]/plus:LicensorURL` needs its list of structures first.
    const char *bracket = strchr(field->tag, '[');
    if (bracket) {
        const int bag_of_structures = 21;  // GEXIV2_STRUCTURE_XA_BAG
        char list[128];
        snprintf(list, sizeof list, "%.*s", (int)(bracket - field->tag), field->tag);
        if (has(image, list)) return 1;
        library.gexiv2_metadata_try_set_xmp_tag_struct(image, list, bag_of_structures, found);
        if (*found) return 0;
    }
    return library.gexiv2_metadata_try_set_tag_string(image, field->tag, field->value, found);
}

static int add_all(Image *image, const struct cmetadata_field *fields, size_t count, char *problem, size_t size) {
    int added = 0;
    // IPTC's older form says once for all its texts how they are encoded: what is there is not to be read otherwise.
    int leaves_iptc = library.gexiv2_metadata_has_iptc(image);
    for (size_t number = 0; number < count; number++) {
        const struct cmetadata_field *field = &fields[number];
        if (leaves_iptc && strncmp(field->tag, "Iptc.", 5) == 0) continue;
        if (has(image, field->tag)) continue;
        Problem *found = NULL;
        char text[4096];
        // Without it, a text that begins with `lang=` would choose its own language.
        snprintf(text, sizeof text, "lang=\"x-default\" %s", field->value);
        struct cmetadata_field written = *field;
        if (field->kind == CMETADATA_LANGUAGES) written.value = text;
        if (!add(image, &written, &found)) return fail(found, "a value was refused", problem, size);
        added++;
    }
    return added;
}

int cmetadata_add(int descriptor, const struct cmetadata_field *fields, size_t count, char *problem, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    Problem *found = NULL;
    int result;
    pthread_mutex_lock(&turn);
    Image *image = library.gexiv2_metadata_new();
    if (!library.gexiv2_metadata_open_path(image, path, &found)) {
        result = fail(found, "it cannot be read", problem, size);
    } else if (!library.gexiv2_metadata_get_supports_xmp(image)) {
        result = fail(NULL, "libgexiv2 cannot write into such a file", problem, size);
    } else {
        result = add_all(image, fields, count, problem, size);
        if (result > 0 && !library.gexiv2_metadata_save_file(image, path, &found))
            result = fail(found, "it cannot be written", problem, size);
    }
    library.g_object_unref(image);
    pthread_mutex_unlock(&turn);
    return result;
}

int cmetadata_read(int descriptor, const char *tag, char *value, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    Problem *found = NULL;
    int result = -1;
    pthread_mutex_lock(&turn);
    Image *image = library.gexiv2_metadata_new();
    if (library.gexiv2_metadata_open_path(image, path, &found)) {
        char *text = library.gexiv2_metadata_try_get_tag_string(image, tag, &found);
        if (text) {
            result = snprintf(value, size, "%s", text) >= 0 ? 0 : -1;
            library.g_free(text);
        }
    }
    if (found) library.g_error_free(found);
    library.g_object_unref(image);
    pthread_mutex_unlock(&turn);
    return result;
}
