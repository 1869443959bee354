#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Documents as a list of the calls of `bson_append_*` that make them, with all values in memory.
struct baseline;

struct baseline *baseline_make(void);
void baseline_free(struct baseline *baseline);

/// Takes over all documents of a file of BSON documents. False when the file cannot be read, is not sound, or has a
/// type that no export writes.
bool baseline_add_file(struct baseline *baseline, const char *path);

/// How many documents, calls that add a field (or array element), and bytes there are.
size_t baseline_documents(const struct baseline *baseline);
size_t baseline_fields(const struct baseline *baseline);
size_t baseline_bytes(const struct baseline *baseline);

/// Builds all documents, one after the other in the same memory, and returns how many bytes they had. This is what is
/// measured.
uint64_t baseline_replay(const struct baseline *baseline);

/// Builds `times` times as many, on `times` threads when `parallel` is set, to learn what a second core is worth.
void baseline_replay_times(const struct baseline *baseline, int times, bool parallel);

/// Builds all documents and compares each with the bytes of the file.
bool baseline_verify(const struct baseline *baseline);

/// Writes as many bytes as all documents have to a new file, the same megabyte of memory again and again: what the
/// system takes for an output of that size, whoever makes it. False when the file cannot be written.
bool baseline_write_bytes(const struct baseline *baseline, const char *path);

/// Reads all documents of a file of BSON documents with libbson and looks at every key and value. False when the file cannot
/// be read or has a type that no export writes.
bool reading_file(const char *path, size_t *documents, size_t *fields, uint64_t *sum);
