#pragma once

#include <stdbool.h>
#include <stdint.h>

/// What a child process took.
struct child_usage {
    /// Seconds from its start to its end.
    double wall;
    /// Seconds of processor time in its own code and in the system.
    double user, system;
    /// The most memory that was resident at one time, mapped pages of the input with it, in bytes.
    int64_t peak_resident;
    /// The most memory that was resident and not pages of a file, in bytes, sampled every half millisecond; -1 when
    /// that was not asked for or the system does not say.
    int64_t peak_anonymous;
    /// Exit code, or -1 after a signal.
    int exit_code;
};

/// Runs the program `arguments[0]` with its output thrown away. Returns 0 or an errno.
int child_run(char *const arguments[], bool samples_memory, struct child_usage *usage);

/// Seconds of processor time of this process, all threads.
double process_cpu_seconds(void);
/// The part of it that was spent in the system.
double process_system_seconds(void);
/// Seconds on a clock that only goes forward.
double wall_seconds(void);
