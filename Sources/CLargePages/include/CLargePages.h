#pragma once

// A program that is linked with this has its own code and that of its libraries read in large pages.

/// Has another program's code read in large pages, where it is not in memory.
///
/// The program could see to that itself only once it runs, and what its start reads in small pages stays in them for all
/// later starts.
void read_code_in_large_pages(const char *path);

/// Has this program map its code in small pages, however it was read: in large ones all of it counts as the program's memory,
/// and less than half is used.
///
/// Costs 0.2 to 0.5 ms, most of it in faults that large pages save.
void map_code_in_small_pages(void);
