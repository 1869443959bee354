// Reports to ThreadSanitizer the part of a `Mutex` shared by several threads that it does not see. Unlocking and handing over are done by
// functions of the Swift library, which is not built for the sanitizer, and by the kernel, which can hand over a lock by itself. The
// functions here replace those of the library, and call them.
#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void lockSlow(uint32_t thread, SELF lock) __asm__(LOCK);
SWIFT bool tryLockSlow(SELF lock) __asm__(TRY_LOCK);
SWIFT void unlockSlow(SELF lock) __asm__(UNLOCK);

static void *libraryFunction(void **known, const char *name) {
    void *function = __atomic_load_n(known, __ATOMIC_ACQUIRE);
    if (!function) {
        function = dlsym(RTLD_NEXT, name);
        __atomic_store_n(known, function, __ATOMIC_RELEASE);
    }
    return function;
}

SWIFT void lockSlow(uint32_t thread, SELF lock) {
    static void *known;
    ((SWIFT void (*)(uint32_t, SELF))libraryFunction(&known, LOCK))(thread, lock);
    __tsan_acquire(lock);
}

SWIFT bool tryLockSlow(SELF lock) {
    static void *known;
    bool isLocked = ((SWIFT bool (*)(SELF))libraryFunction(&known, TRY_LOCK))(lock);
    if (isLocked) __tsan_acquire(lock);
    return isLocked;
}

SWIFT void unlockSlow(SELF lock) {
    static void *known;
    __tsan_release(lock);
    ((SWIFT void (*)(SELF))libraryFunction(&known, UNLOCK))(lock);
}

#endif
#endif
