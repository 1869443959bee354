#include "run_loop.h"

#include <pthread.h>
#include <stdlib.h>

#ifdef __APPLE__

#include <CoreFoundation/CoreFoundation.h>

static bool is_there(void) { return true; }

/// The run loop of the thread.
static CFRunLoopRef current(void) { return CFRunLoopGetCurrent(); }

#else

// As the headers of swift-corelibs-foundation have them, which are not installed everywhere. They are null in a program without.
typedef const void *CFTypeRef;
typedef struct __CFRunLoop *CFRunLoopRef;
typedef struct __CFRunLoopSource *CFRunLoopSourceRef;
typedef const struct __CFString *CFStringRef;
typedef struct {
    long version;
    void *info;
    const void *(*retain)(const void *info);
    void (*release)(const void *info);
    void *others[3];
    void (*schedule)(void *info, CFRunLoopRef loop, CFStringRef mode);
    void (*cancel)(void *info, CFRunLoopRef loop, CFStringRef mode);
    void (*perform)(void *info);
} CFRunLoopSourceContext;

#define OF_COREFOUNDATION extern __attribute__((weak))
OF_COREFOUNDATION const CFStringRef kCFRunLoopDefaultMode;
OF_COREFOUNDATION CFRunLoopRef _CFRunLoopGet0b(pthread_t thread);
OF_COREFOUNDATION CFStringRef CFRunLoopCopyCurrentMode(CFRunLoopRef loop);
OF_COREFOUNDATION CFRunLoopSourceRef CFRunLoopSourceCreate(const void *allocator, long order, CFRunLoopSourceContext *context);
OF_COREFOUNDATION void CFRunLoopAddSource(CFRunLoopRef loop, CFRunLoopSourceRef source, CFStringRef mode);
OF_COREFOUNDATION void CFRunLoopSourceSignal(CFRunLoopSourceRef source);
OF_COREFOUNDATION void CFRunLoopSourceInvalidate(CFRunLoopSourceRef source);
OF_COREFOUNDATION void CFRunLoopWakeUp(CFRunLoopRef loop);
OF_COREFOUNDATION CFTypeRef CFRetain(CFTypeRef object);
OF_COREFOUNDATION void CFRelease(CFTypeRef object);

static bool is_there(void) {
    return &kCFRunLoopDefaultMode && _CFRunLoopGet0b && CFRunLoopCopyCurrentMode && CFRunLoopSourceCreate
        && CFRunLoopAddSource && CFRunLoopSourceSignal && CFRunLoopSourceInvalidate && CFRunLoopWakeUp && CFRetain
        && CFRelease;
}

/// The run loop of the thread. `CFRunLoopGetCurrent` would make one, with three open files.
static CFRunLoopRef current(void) { return _CFRunLoopGet0b(pthread_self()); }

#endif

struct run_loop_source {
    CFRunLoopRef loop;
    CFRunLoopSourceRef source;
};

run_loop_source *run_loop_source_add(
    void *info, const void *(*retain)(const void *info), void (*release)(const void *info), void (*perform)(void *info),
    void (*cancel)(void *info, void *loop, const void *mode)) {
    if (!is_there()) return NULL;
    CFRunLoopRef loop = current();
    if (!loop) return NULL;
    // Nothing where the thread has a run loop that does not run.
    CFStringRef mode = CFRunLoopCopyCurrentMode(loop);
    if (!mode) return NULL;
    CFRelease(mode);
    run_loop_source *result = malloc(sizeof *result);
    if (!result) return NULL;
    CFRunLoopSourceContext context = {.info = info, .retain = retain, .release = release, .perform = perform};
    context.cancel = (void (*)(void *, CFRunLoopRef, CFStringRef))cancel;
    result->loop = (CFRunLoopRef)CFRetain(loop);
    result->source = CFRunLoopSourceCreate(NULL, 0, &context);
    CFRunLoopAddSource(loop, result->source, kCFRunLoopDefaultMode);
    return result;
}

void run_loop_source_signal(run_loop_source *source) {
    CFRunLoopSourceSignal(source->source);
    CFRunLoopWakeUp(source->loop);
}

void run_loop_source_remove(run_loop_source *source) {
    CFRunLoopSourceInvalidate(source->source);
    CFRelease(source->source);
    CFRelease(source->loop);
    free(source);
}
