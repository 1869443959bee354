// CoreFoundation's run loops, which are also Foundation's. On Linux nothing is linked for them: in a program without
// CoreFoundation, no code runs in a run loop.
#ifndef RUN_LOOP_H
#define RUN_LOOP_H

#include <stdbool.h>

/// A source of a run loop, which performs its work there when it is signalled.
typedef struct run_loop_source run_loop_source;

/// Adds a source to the run loop that the caller runs in on its thread. Returns NULL if it does not run in one.
/// `info` is retained and released by the given functions, which the run loop calls, too. `cancel` is called when the
/// source is removed, and on the thread when that ends before the source is removed.
run_loop_source *run_loop_source_add(
    void *info, const void *(*retain)(const void *info), void (*release)(const void *info), void (*perform)(void *info),
    void (*cancel)(void *info, void *loop, const void *mode));

/// Signals a source, so that it runs soon, and wakes its run loop. May be called on any thread.
void run_loop_source_signal(run_loop_source *source);

/// Removes a source from its run loop, and frees it. May be called on any thread.
void run_loop_source_remove(run_loop_source *source);

#endif
