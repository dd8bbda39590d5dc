#include "CBuild.h"

// The package defines it from the environment of the build.
#ifdef IMGSCRIPT_COMMIT
#define TEXT(token) #token
#define QUOTED(token) TEXT(token)
const char *cbuild_commit(void) { return QUOTED(IMGSCRIPT_COMMIT); }
#else
const char *cbuild_commit(void) { return ""; }
#endif
