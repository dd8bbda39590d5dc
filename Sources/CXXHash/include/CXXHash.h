// XXH3 of 128 bits. The library is its header: it is needed to build, and nothing of it to run.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t high, low;
} cxxhash_128;

// A content that comes piece by piece.
typedef struct cxxhash_stream cxxhash_stream;

cxxhash_128 cxxhash_of(const void *bytes, size_t count);

// NULL where there is no memory for it.
cxxhash_stream *cxxhash_begin(void);
void cxxhash_add(cxxhash_stream *stream, const void *bytes, size_t count);
cxxhash_128 cxxhash_so_far(const cxxhash_stream *stream);
void cxxhash_end(cxxhash_stream *stream);
