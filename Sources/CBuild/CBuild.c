#include "CBuild.h"

// The package defines these from the environment of the build.
#ifndef IMGSCRIPT_COMMIT
#define IMGSCRIPT_COMMIT ""
#endif
#ifndef IMGSCRIPT_CORE_KEY
#define IMGSCRIPT_CORE_KEY ""
#endif
#ifndef IMGSCRIPT_INDEX
#define IMGSCRIPT_INDEX ""
#endif

const char *cbuild_commit(void) { return IMGSCRIPT_COMMIT; }
const char *cbuild_core_key(void) { return IMGSCRIPT_CORE_KEY; }
const char *cbuild_index(void) { return IMGSCRIPT_INDEX; }
