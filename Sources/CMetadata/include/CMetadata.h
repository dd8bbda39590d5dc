// Metadata inside image files, by libgexiv2, which is looked for when it is first needed.

#pragma once
#include <stddef.h>

enum cmetadata_kind {
    CMETADATA_PLAIN,
    // A text that may be there in several languages.
    CMETADATA_LANGUAGES,
    CMETADATA_LIST,
};

// A tag such as `Xmp.dc.title`, and its values, of which all but those of a list are one; NULL is the last.
struct cmetadata_field {
    const char *tag;
    const char *const *values;
    enum cmetadata_kind kind;
};

// NULL, or what is missing and what to install.
const char *cmetadata_load(void);

// Adds those fields to the image in an open file that it has not got yet, and returns how many there were; -1 with what is
// wrong in `problem`, as for an image that would lose other Exif data. The library rewrites the file in place.
int cmetadata_add(int descriptor, const struct cmetadata_field *fields, size_t count, char *problem, size_t size);

// The value of a tag in an open image, into `value`; -1 where there is none.
int cmetadata_read(int descriptor, const char *tag, char *value, size_t size);

// A file without a name, in memory; -1 and errno where there cannot be one.
int cmetadata_scratch(void);
