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
    F(char **, gexiv2_metadata_get_exif_tags, (Image *))                                                               \
    F(char **, gexiv2_metadata_get_iptc_tags, (Image *))                                                               \
    F(char **, gexiv2_metadata_get_xmp_tags, (Image *))                                                                \
    F(char *, gexiv2_metadata_try_get_xmp_packet, (Image *, Problem **))                                               \
    F(char **, gexiv2_metadata_try_get_tag_multiple, (Image *, const char *, Problem **))                              \
    F(char *, gexiv2_metadata_try_get_tag_string, (Image *, const char *, Problem **))                                 \
    F(int, gexiv2_metadata_try_set_tag_string, (Image *, const char *, const char *, Problem **))                      \
    F(int, gexiv2_metadata_try_set_tag_multiple, (Image *, const char *, const char **, Problem **))                   \
    F(int, gexiv2_metadata_try_set_xmp_tag_struct, (Image *, const char *, int, Problem **))                           \
    F(int, gexiv2_metadata_try_register_xmp_namespace, (const char *, const char *, Problem **))                       \
    F(void, g_object_unref, (void *))                                                                                  \
    F(void, g_error_free, (Problem *))                                                                                 \
    F(void, g_strfreev, (char **))                                                                                     \
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

static char *value_of(Image *image, const char *tag) {
    Problem *found = NULL;
    char *value = library.gexiv2_metadata_try_get_tag_string(image, tag, &found);
    if (found) library.g_error_free(found);
    return value;
}

static int has(Image *image, const char *tag) {
    char *value = value_of(image, tag);
    int is_there = value && value[0];
    if (value) library.g_free(value);
    return is_there;
}

static int is_ascii(const char *text) {
    for (; *text; text++)
        if ((unsigned char)*text > 0x7f) return 0;
    return 1;
}

// RFC 3629 §4, but for surrogates and overlong forms, which no encoder writes.
static int is_utf8(const char *text) {
    for (const unsigned char *byte = (const unsigned char *)text; *byte;) {
        int more = *byte < 0x80 ? 0 : *byte >= 0xc2 && *byte < 0xe0 ? 1 : *byte >> 4 == 14 ? 2 : *byte >> 3 == 30 ? 3 : -1;
        if (more < 0) return 0;
        byte++;
        for (; more > 0; more--, byte++)
            if (*byte >> 6 != 2) return 0;
    }
    return 1;
}

// ISO 2022's word for UTF-8.
static const char utf8_mark[] = "\x1b%G";
static const char charset_tag[] = "Iptc.Envelope.CharacterSet";

// Whether IPTC's texts may be in UTF-8, which they say once for all of them; what is there is not to be read otherwise.
static int has_utf8_iptc(Image *image) {
    if (has(image, charset_tag)) {
        char *charset = value_of(image, charset_tag);
        int is_marked = charset && strcmp(charset, utf8_mark) == 0;
        if (charset) library.g_free(charset);
        return is_marked;
    }
    char **tags = library.gexiv2_metadata_get_iptc_tags(image);
    int is_readable = 1;
    for (char **tag = tags; tag && *tag && is_readable; tag++) {
        Problem *found = NULL;
        char **values = library.gexiv2_metadata_try_get_tag_multiple(image, *tag, &found);
        for (char **value = values; value && *value; value++) is_readable = is_readable && is_utf8(*value);
        if (values) library.g_strfreev(values);
        if (found) library.g_error_free(found);
    }
    if (tags) library.g_strfreev(tags);
    return is_readable;
}

static int add(Image *image, const struct cmetadata_field *field, Problem **found) {
    if (field->kind == CMETADATA_LIST)
        return library.gexiv2_metadata_try_set_tag_multiple(image, field->tag, (const char **)field->values, found);
    if (field->kind == CMETADATA_LANGUAGES) {
        char text[4096];
        // Without it, a text that begins with `lang=` would choose its own language.
        snprintf(text, sizeof text, "lang=\"x-default\" %s", field->values[0]);
        return library.gexiv2_metadata_try_set_tag_string(image, field->tag, text, found);
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
    return library.gexiv2_metadata_try_set_tag_string(image, field->tag, field->values[0], found);
}

static int add_all(Image *image, const struct cmetadata_field *fields, size_t count, char *problem, size_t size) {
    int added = 0;
    int is_utf8_iptc = has_utf8_iptc(image);
    for (size_t number = 0; number < count; number++) {
        const struct cmetadata_field *field = &fields[number];
        if (has(image, field->tag)) continue;
        Problem *found = NULL;
        if (strncmp(field->tag, "Iptc.", 5) == 0) {
            int is_plain = 1;
            for (const char *const *value = field->values; *value; value++) is_plain = is_plain && is_ascii(*value);
            if (!is_plain && !is_utf8_iptc) continue;
            if (!is_plain && !has(image, charset_tag) &&
                !library.gexiv2_metadata_try_set_tag_string(image, charset_tag, utf8_mark, &found))
                return fail(found, "a value was refused", problem, size);
        }
        if (!add(image, field, &found)) return fail(found, "a value was refused", problem, size);
        added++;
    }
    return added;
}

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

// Whether a tag has a place in the file, which may be another one in each, or all of XMP, which is compared by itself.
static int is_place(const char *tag) {
    static const char *const ends[] = {".ExifTag",      ".GPSTag",      ".InteroperabilityTag", ".SubIFDs",
                                       ".StripOffsets", ".TileOffsets", ".XMLPacket",           ".JPEGInterchangeFormat",
                                       "MakerNote.Offset"};
    for (size_t number = 0; number < sizeof ends / sizeof *ends; number++)
        if (ends_with(tag, ends[number])) return 1;
    return 0;
}

static int keeps_all(Image *image, Image *written, char **tags) {
    int keeps = 1;
    for (char **tag = tags; tag && *tag && keeps; tag++) {
        char *before = value_of(image, *tag), *after = value_of(written, *tag);
        if (before) keeps = after && (is_place(*tag) || strcmp(before, after) == 0);
        if (before) library.g_free(before);
        if (after) library.g_free(after);
    }
    return keeps;
}

// The fields of an image before any was added.
struct known {
    const char *kind;
    char **tags;
};

// The kind of fields of which the image in the file has not all that were read from it; NULL for none.
static const char *lost(Image *image, const struct known *known, size_t count, const char *path) {
    Problem *found = NULL;
    Image *written = library.gexiv2_metadata_new();
    int is_read = library.gexiv2_metadata_open_path(written, path, &found);
    const char *kind = NULL;
    for (size_t number = 0; number < count && !kind; number++)
        if (!is_read || !keeps_all(image, written, known[number].tags)) kind = known[number].kind;
    if (found) library.g_error_free(found);
    library.g_object_unref(written);
    return kind;
}

// Whether the image has XMP of which the library reads nothing, as it would be written over.
static int has_unreadable_xmp(Image *image, char **xmp_tags) {
    if (xmp_tags && *xmp_tags) return 0;
    Problem *found = NULL;
    char *packet = library.gexiv2_metadata_try_get_xmp_packet(image, &found);
    int is_unreadable = packet && strstr(packet, "Description");
    if (packet) library.g_free(packet);
    if (found) library.g_error_free(found);
    return is_unreadable;
}

static int add_and_save(Image *image, const char *path, const struct cmetadata_field *fields, size_t count,
                        const struct known *known, size_t kinds, char *problem, size_t size) {
    Problem *found = NULL;
    int result = add_all(image, fields, count, problem, size);
    if (result <= 0) return result;
    if (!library.gexiv2_metadata_save_file(image, path, &found))
        return fail(found, "it cannot be written", problem, size);
    const char *kind = lost(image, known, kinds, path);
    if (!kind) return result;
    snprintf(problem, size, "some of its %s data would have been lost", kind);
    return -1;
}

static int add_to(Image *image, const char *path, const struct cmetadata_field *fields, size_t count, char *problem,
                  size_t size) {
    Problem *found = NULL;
    if (!library.gexiv2_metadata_open_path(image, path, &found)) return fail(found, "it cannot be read", problem, size);
    if (!library.gexiv2_metadata_get_supports_xmp(image))
        return fail(NULL, "libgexiv2 cannot write into such a file", problem, size);
    const struct known known[] = {{"Exif", library.gexiv2_metadata_get_exif_tags(image)},
                                  {"IPTC", library.gexiv2_metadata_get_iptc_tags(image)},
                                  {"XMP", library.gexiv2_metadata_get_xmp_tags(image)}};
    const size_t kinds = sizeof known / sizeof *known;
    int result = has_unreadable_xmp(image, known[2].tags)
                     ? fail(NULL, "its XMP data cannot be read, and would have been lost", problem, size)
                     : add_and_save(image, path, fields, count, known, kinds, problem, size);
    for (size_t number = 0; number < kinds; number++)
        if (known[number].tags) library.g_strfreev(known[number].tags);
    return result;
}

int cmetadata_add(int descriptor, const struct cmetadata_field *fields, size_t count, char *problem, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    pthread_mutex_lock(&turn);
    Image *image = library.gexiv2_metadata_new();
    int result = add_to(image, path, fields, count, problem, size);
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
