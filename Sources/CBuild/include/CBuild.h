#pragma once

/// The commit that the program is built from, abbreviated; empty where the build does not pass it.
const char *cbuild_commit(void);
