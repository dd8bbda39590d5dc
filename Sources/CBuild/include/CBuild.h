#pragma once

/// The commit that the program is built from, abbreviated; empty where the build was not told.
const char *cbuild_commit(void);
