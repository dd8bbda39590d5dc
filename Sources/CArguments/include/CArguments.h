#pragma once

/// The program's argument at a place, or NULL where it has fewer.
const char *program_argument(int index);
