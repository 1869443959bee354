// Run loops of CoreFoundation, which Foundation's are. On Linux nothing is linked for their sake: a program that has none runs in none.
#ifndef RUN_LOOP_H
#define RUN_LOOP_H

#include <stdbool.h>

/// What runs in a run loop when it is asked to.
typedef struct run_loop_source run_loop_source;

/// Adds a source to the run loop that the caller runs in on its thread; NULL where it runs in none. `info` is retained and released by the
/// functions given, which the run loop calls, too. `cancel` is called on the thread when it ends before the source is removed, and
/// when that is removed.
run_loop_source *run_loop_source_add(
    void *info, const void *(*retain)(const void *info), void (*release)(const void *info), void (*perform)(void *info),
    void (*cancel)(void *info, void *loop, const void *mode));

/// Lets a source run soon, and wakes its run loop. From any thread.
void run_loop_source_signal(run_loop_source *source);

/// Takes a source out of its run loop, and frees it. From any thread.
void run_loop_source_remove(run_loop_source *source);

#endif
