// The program's arguments, as the C library gives them to every constructor.
//
// The Swift runtime looks for them on its own in all programs: a constructor of its `CommandLine` goes through the list
// of the process's mappings, of which an engine's libraries make hundreds, to find the stack. The linker takes that
// constructor from the runtime's archive for the sake of the two functions below only, so a program that has them itself
// starts without it. They are weak: should the runtime need more of that file one day, its own come back.
#include "CArguments.h"

#include <stddef.h>

static int count;
static char **values;

__attribute__((constructor)) static void keep(int argument_count, char **arguments) {
    count = argument_count;
    values = arguments;
}

const char *program_argument(int index) { return index < count ? values[index] : NULL; }

__attribute__((weak)) char **_swift_stdlib_getUnsafeArgvArgc(int *length) {
    *length = count;
    return values;
}

__attribute__((weak)) void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int length) {
    count = length;
    values = arguments;
}
