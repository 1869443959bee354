// Tells ThreadSanitizer what it does not see of a `Mutex` on Linux: the kernel hands one that several threads wait for from the thread that
// unlocks it to the one that has waited longest, without a memory access that the sanitizer watches.
#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

// Stands in for the system's function of that name in programs that this is linked with.
long syscall(long number, ...) {
    static long (*system)(long, ...);
    long (*next)(long, ...) = __atomic_load_n(&system, __ATOMIC_ACQUIRE);
    if (!next) {
        next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
        __atomic_store_n(&system, next, __ATOMIC_RELEASE);
    }
    va_list list;
    va_start(list, number);
    long values[6];
    for (int index = 0; index < 6; index++) values[index] = va_arg(list, long);
    va_end(list);
    long operation = number == SYS_futex ? values[1] & FUTEX_CMD_MASK : -1;
    if (operation == FUTEX_UNLOCK_PI) __tsan_release((void *)values[0]);
    long result = next(number, values[0], values[1], values[2], values[3], values[4], values[5]);
    if ((operation == FUTEX_LOCK_PI || operation == FUTEX_TRYLOCK_PI) && result == 0) __tsan_acquire((void *)values[0]);
    return result;
}

#endif
#endif
