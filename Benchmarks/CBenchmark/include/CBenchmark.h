#pragma once

// How many blocks this thread has asked malloc, calloc and realloc for; -1 where they cannot be counted.
long benchmark_allocation_count(void);

// The environment of this process, for the programs that it starts.
char *_Nullable *_Nonnull benchmark_environment(void);
