// Has the program's own code read in large pages.
//
// A start touches a third of the code, all over it, and finds it in small pages: two hundred faults, and as many pieces to
// let go of at the end, which whoever waits for the program waits for too. A file system that can hold a file in large
// pages does so when it reads them for a mapping that asks for it; elsewhere nothing changes.
#define _GNU_SOURCE
#include "CLargePages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// Set by the linker.
extern const char __executable_start[], etext[];

// Before all other constructors, which are the first to run what lies further on.
__attribute__((constructor(101))) static void read_code_in_large_pages(void) {
    const uintptr_t page = (uintptr_t)getpagesize();
    uintptr_t start = (uintptr_t)__executable_start & -page, end = ((uintptr_t)etext + page - 1) & -page;
    madvise((void *)start, end - start, MADV_HUGEPAGE);
}
