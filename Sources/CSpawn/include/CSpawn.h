#pragma once
#include <stdbool.h>
#include <sys/types.h>

/// A child process and this side's ends of its two pipes.
struct spawned_process {
    pid_t id;
    /// Written to the child's standard input.
    int input;
    /// Read from the child's standard output.
    int output;
};

/// Starts `executable` with the given arguments and nothing inherited: no environment, no descriptors but two pipes,
/// a process group of its own. Returns 0, or an errno value. This side's ends do not block.
int spawn_isolated(const char *executable, char *const arguments[], struct spawned_process *process);

/// `write`, but a reader that has gone is EPIPE only: the signal that would end this process is not raised.
ssize_t write_without_signal(int descriptor, const void *bytes, size_t count);

/// How many threads on the machine have something to do, by what `/proc/loadavg` says; -1 where that is no such text.
int running_threads(const char *figures);

/// Whether no more than `own` threads on the machine have something to do: as many as are the caller's and its children's.
bool nothing_else_runs(int own);

/// Where there are two processors, keeps this process to the one it runs on and the child to the other, for the first
/// 40 ms at most. Called while this process has one thread; those it starts inherit its processor.
///
/// A parent and a child that both have much to do at their start, the parent in several threads, otherwise interrupt
/// each other on one processor while the other is idle for milliseconds. Where others run, one of the two would have to
/// share its processor with them: only for when `nothing_else_runs`. Returns false where it does nothing.
bool keep_apart(pid_t child);

/// Ends what `keep_apart` began, before its time.
void share_processors(void);
