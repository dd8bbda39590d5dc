#pragma once

/// The commit that the program is built from, abbreviated; empty where the build does not pass it.
const char *cbuild_commit(void);

/// The minisign public key of the core pack and of the index below; empty where the build does not pass it.
const char *cbuild_core_key(void);

/// The URL of the index of packs that is asked without being added; empty where the build does not pass it.
const char *cbuild_index(void);
