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

static void run_end(void *body) { ((void (*)(uint64_t))body)(thread_number()); }

static void make_end_key(void) { end_error = pthread_key_create(&end_key, run_end); }

void thread_end_call(void (*body)(uint64_t number)) {
    pthread_once(&end_once, make_end_key);
    if (!end_error) pthread_setspecific(end_key, (void *)body);
}
