// Has code read in large pages: that of a program which is linked with this, of its libraries, and of another program.
//
// A start touches a third of the code, all over it, and finds it in small pages: two hundred faults, and as many pieces to
// let go of at the end, which whoever waits for the program waits for too. A file system that can hold a file in large
// pages does so when it reads them for a mapping that asks for it; elsewhere nothing changes.
#define _GNU_SOURCE
#include "CLargePages.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t large_page = 2 << 20;
/// Code lies at the beginning of a file; behind it is what helps to find faults.
static const off_t most_code = 8 << 20;

static long reads_from_disk(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_majflt : 0;
}

typedef int advise_on_memory(void *, size_t, int);
typedef int advise_on_file(int, off_t, off_t, int);

// Lies behind all other code, and calls none of it: what is in use stays where it is.
__attribute__((section("behind_text"), noinline)) static void let_go(
    char *code, size_t length, advise_on_memory *advise_on_memory, int file, off_t offset, advise_on_file *advise_on_file) {
    advise_on_memory(code, length, MADV_DONTNEED);
    advise_on_file(file, offset, (off_t)length, POSIX_FADV_DONTNEED);
}

/// Has a program's or library's code read once more, those pages of it that nobody else uses.
static void read_again(char *code, size_t length, const char *path, off_t offset) {
    // Their names alone would lead to code of the program's own, which lies in front.
    void *advise_on_memory = dlsym(RTLD_NEXT, "madvise"), *advise_on_file = dlsym(RTLD_NEXT, "posix_fadvise");
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    if (advise_on_memory && advise_on_file) let_go(code, length, advise_on_memory, file, offset, advise_on_file);
    close(file);
}

/// Has the code of a program or library read in large pages from here on.
///
/// What is not in memory was read from disk in small pages until here, and would stay in them for all later starts.
static int have_code_in_large_pages(struct dl_phdr_info *object, size_t size, void *has_read) {
    const uintptr_t page = (uintptr_t)getpagesize();
    for (int number = 0; number < object->dlpi_phnum; number++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[number];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || segment->p_memsz < large_page) continue;
        uintptr_t address = object->dlpi_addr + segment->p_vaddr;
        char *start = (char *)(address & -page), *end = (char *)((address + segment->p_memsz + page - 1) & -page);
        if (madvise(start, (size_t)(end - start), MADV_HUGEPAGE) != 0 || !*(bool *)has_read) continue;
        bool is_program = !*object->dlpi_name;
        // Far behind what has been used so far, and of the program what lets go of it.
        const volatile char *unused = is_program ? (const char *)let_go : end - large_page;
        long reads = reads_from_disk();
        (void)*unused;
        if (reads_from_disk() > reads)
            read_again(
                start, (size_t)(end - start), is_program ? "/proc/self/exe" : object->dlpi_name,
                (off_t)(segment->p_offset & -page));
    }
    return 0;
}

// Before all other constructors, which are the first to run what lies further on.
__attribute__((constructor(101))) static void have_all_code_in_large_pages(void) {
    bool has_read = reads_from_disk() > 0;
    dl_iterate_phdr(have_code_in_large_pages, &has_read);
}

/// Cuts the mapping of a program's or library's code in pieces none of which holds a large page from its beginning to its end.
///
/// The system maps a page of a file with one entry where the whole of it belongs to one mapping, whatever is said of the
/// pages' size; and lets go of the entries when the mapping is cut.
static int map_code_in_small_pages_of(struct dl_phdr_info *object, size_t size, void *context) {
    const uintptr_t page = (uintptr_t)getpagesize();
    for (int number = 0; number < object->dlpi_phnum; number++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[number];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
        uintptr_t start = object->dlpi_addr + segment->p_vaddr, end = (start + segment->p_memsz) & -page;
        // Every other piece differs from its neighbours in that no core dump holds it, as none holds any code.
        uintptr_t piece = ((start + large_page - 1) & -large_page) + large_page / 2;
        for (; piece < end; piece += 2 * large_page)
            madvise((void *)piece, end - piece < large_page ? end - piece : large_page, MADV_DONTDUMP);
    }
    return 0;
}

void map_code_in_small_pages(void) { dl_iterate_phdr(map_code_in_small_pages_of, NULL); }

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
                for (size_t offset = 0; offset < length; offset += large_page) (void)code[offset];
            munmap((void *)code, length);
        }
    }
    close(file);
}
