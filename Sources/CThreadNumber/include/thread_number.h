// Numbers of threads. What the system tells threads apart by it gives to others as soon as they have ended.
#ifndef THREAD_NUMBER_H
#define THREAD_NUMBER_H

#include <stdint.h>

/// The number of the calling thread where it has been asked for; 0 until then.
extern _Thread_local uint64_t thread_number_known;

/// Gives the calling thread its number.
uint64_t thread_number_begin(void);

/// The number of the calling thread, which no other thread of the process ever has; never 0.
static inline uint64_t thread_number(void) {
    return thread_number_known ? thread_number_known : thread_number_begin();
}

/// Has a function called on the calling thread, with its number, when the thread ends. There is one such function.
void thread_end_call(void (*body)(uint64_t number));

#endif
