#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

static double clock_seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double process_cpu_seconds(void) { return clock_seconds(CLOCK_PROCESS_CPUTIME_ID); }
double wall_seconds(void) { return clock_seconds(CLOCK_MONOTONIC); }

double process_system_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return seconds(usage.ru_stime);
}

/// The line `RssAnon` of /proc/PID/status, in bytes; -1 when there is none.
static int64_t anonymous_bytes(pid_t process) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    if (size <= 0) return -1;
    text[size] = 0;
    const char *line = strstr(text, "RssAnon:");
    return line ? strtoll(line + 8, NULL, 10) * 1024 : -1;
}

int child_run(char *const arguments[], bool samples_memory, struct child_usage *usage) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    memset(usage, 0, sizeof *usage);
    usage->peak_anonymous = -1;

    double start = wall_seconds();
    pid_t process;
    int code = posix_spawn(&process, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code) return code;

    int status;
    struct rusage resources;
    while (true) {
        pid_t ended = wait4(process, &status, samples_memory ? WNOHANG : 0, &resources);
        if (ended == process) break;
        if (ended < 0 && errno != EINTR) return errno;
        if (!samples_memory) continue;
        int64_t bytes = anonymous_bytes(process);
        if (bytes > usage->peak_anonymous) usage->peak_anonymous = bytes;
        struct timespec pause = {0, 500000};
        nanosleep(&pause, NULL);
    }
    usage->wall = wall_seconds() - start;
    usage->user = seconds(resources.ru_utime);
    usage->system = seconds(resources.ru_stime);
#ifdef __APPLE__
    usage->peak_resident = resources.ru_maxrss;
#else
    usage->peak_resident = (int64_t)resources.ru_maxrss * 1024;
#endif
    usage->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return 0;
}
