#pragma once

// Nothing to call: a program that is linked with this has its code read in large pages.
