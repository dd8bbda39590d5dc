#pragma once

// A program that is linked with this has its own code and that of its libraries read in large pages.

/// Has another program's code read in large pages, where it is not in memory.
///
/// The program could see to that itself only once it runs, and what its start reads in small pages stays in them for all
/// later starts.
void read_code_in_large_pages(const char *path);
