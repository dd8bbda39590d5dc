#include "CXXHash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static cxxhash_128 halves(XXH128_hash_t hash) { return (cxxhash_128){hash.high64, hash.low64}; }

static XXH3_state_t *state(const cxxhash_stream *stream) { return (XXH3_state_t *)stream; }

cxxhash_128 cxxhash_of(const void *bytes, size_t count) { return halves(XXH3_128bits(bytes, count)); }

cxxhash_stream *cxxhash_begin(void) {
    XXH3_state_t *fresh = XXH3_createState();
    if (fresh) XXH3_128bits_reset(fresh);
    return (cxxhash_stream *)fresh;
}

void cxxhash_add(cxxhash_stream *stream, const void *bytes, size_t count) {
    XXH3_128bits_update(state(stream), bytes, count);
}

cxxhash_128 cxxhash_so_far(const cxxhash_stream *stream) { return halves(XXH3_128bits_digest(state(stream))); }

void cxxhash_end(cxxhash_stream *stream) { XXH3_freeState(state(stream)); }
