// Begins the heap with one large page.
//
// An engine that starts fills four hundred small ones. The system hands each out in a fault of its own, in 0.5 to 2 µs, and
// one of 2 MB in 0.05 to 0.1 ms. Where it has none, or is not to use any, the heap is as it was. What a script needs comes
// in small pages, so that it can be told.
#define _GNU_SOURCE
#include "CHeap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

static const uintptr_t large_page = 2 << 20;

/// Addresses on the heap stay as hard to guess as they were, though it begins at a round one.
static size_t random_offset(void) {
    uint16_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) < 0) return 0;
    return number;
}

static void *offset;

static void begin_heap(void) {
    const uintptr_t page = (uintptr_t)getpagesize();
    uintptr_t end = (uintptr_t)sbrk(0);
    // The C library's own first page lies before the large one, which has to be asked for while nothing is in it.
    uintptr_t start = (end + page + large_page - 1) & -large_page;
    if (end == UINTPTR_MAX || sbrk((intptr_t)(start - page - end)) == (void *)-1) return;
    // How much is got at a time from then on is for the worker to say, which does so before it does anything else.
    mallopt(M_TOP_PAD, (int)(large_page + page));
    void *first = malloc(1);
    if ((uintptr_t)first - (start - page) < page) madvise((void *)start, large_page, MADV_HUGEPAGE);
    free(first);
    // Kept: all that follows lies behind it.
    offset = malloc(random_offset());
}

// Before the libraries are set up, most of which begin by asking for memory.
__attribute__((section(".preinit_array"), used)) static void (*const begin)(void) = begin_heap;
