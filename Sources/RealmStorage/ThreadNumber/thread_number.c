#include "thread_number.h"

#include <pthread.h>
#include <stdatomic.h>

_Thread_local uint64_t thread_number_known;

static _Atomic uint64_t last;

uint64_t thread_number_begin(void) {
    thread_number_known = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
    return thread_number_known;
}

static pthread_key_t end_key;
static pthread_once_t end_once = PTHREAD_ONCE_INIT;
static int end_error;
static void (*_Atomic end_body)(uint64_t number);

// The thread's variables may be gone by now.
static void run_end(void *number) {
    thread_number_known = (uintptr_t)number;
    atomic_load(&end_body)(thread_number_known);
}

static void make_end_key(void) { end_error = pthread_key_create(&end_key, run_end); }

void thread_end_call(void (*body)(uint64_t number)) {
    pthread_once(&end_once, make_end_key);
    if (end_error) return;
    atomic_store(&end_body, body);
    pthread_setspecific(end_key, (void *)(uintptr_t)thread_number());
}
