// Has programs' code read in large pages.
//
// A start touches a third of the code, all over it, and finds it in small pages: two hundred faults, and as many pieces to
// let go of at the end, which whoever waits for the program waits for too. A file system that can hold a file in large
// pages does so when it reads them for a mapping that asks for it; elsewhere nothing changes.
#define _GNU_SOURCE
#include "CLargePages.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const off_t large_page = 2 << 20;
/// Code lies at the beginning of a file; behind it is what helps to find faults.
static const off_t most_code = 8 << 20;

// Set by the linker.
extern const char __executable_start[], etext[];

// Before all other constructors, which are the first to run what lies further on.
__attribute__((constructor(101))) static void have_own_code_in_large_pages(void) {
    const uintptr_t page = (uintptr_t)getpagesize();
    uintptr_t start = (uintptr_t)__executable_start & -page, end = ((uintptr_t)etext + page - 1) & -page;
    madvise((void *)start, end - start, MADV_HUGEPAGE);
}

void read_code_in_large_pages(const char *path) {
    // A name may lead to anything; one that is no file is told of when it is to be run.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return;
    struct stat status;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        size_t length = (size_t)(status.st_size < most_code ? status.st_size : most_code);
        const volatile char *code = mmap(NULL, length, PROT_READ, MAP_PRIVATE, file, 0);
        if (code != MAP_FAILED) {
            // What is in memory already is not read again: this takes 20 µs then.
            if (madvise((void *)code, length, MADV_HUGEPAGE) == 0)
                for (size_t offset = 0; offset < length; offset += (size_t)large_page) (void)code[offset];
            munmap((void *)code, length);
        }
    }
    close(file);
}
