#include "thread_number.h"

#include <stdatomic.h>

_Thread_local uint64_t thread_number_known;

static _Atomic uint64_t last;

uint64_t thread_number_begin(void) {
    thread_number_known = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
    return thread_number_known;
}
