// Numbers of threads. The system's own thread identifiers are reused as soon as a thread has ended; these are not.
#ifndef THREAD_NUMBER_H
#define THREAD_NUMBER_H

#include <stdint.h>

/// The number of the calling thread once it has been assigned; 0 until then.
extern _Thread_local uint64_t thread_number_known;

/// Assigns the calling thread its number.
uint64_t thread_number_begin(void);

/// The number of the calling thread, unique for the lifetime of the process; never 0.
static inline uint64_t thread_number(void) {
    return thread_number_known ? thread_number_known : thread_number_begin();
}

/// Registers the function called on each numbered thread, with its number, when the thread ends. There is only one.
void thread_end_call(void (*body)(uint64_t number));

#endif
