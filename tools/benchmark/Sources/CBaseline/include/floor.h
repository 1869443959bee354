#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The least that an exporter of BSON has to do: have the pages of the file, put the bytes of each field behind those of the
/// one before, hand them to the system. Nothing is looked for, decoded, checked or decided: the fields of all documents are
/// in a list, their values in a row.
struct floor;

struct floor *floor_make(void);
void floor_free(struct floor *floor);

/// Takes over all documents of a file of BSON documents. False when the file cannot be read, or has more names or other
/// types than exports write.
bool floor_add_file(struct floor *floor, const char *path);

/// Makes all documents and compares them with the bytes of the files.
bool floor_verify(const struct floor *floor);

/// Maps the file `input`, loads a word of each of its pages, or of each line of the cache when `reads_all` is set, and writes
/// all documents to the new file `output`. Each field is two copies: of type and name, and of the value. False when a
/// file cannot be opened or written.
bool floor_run(const struct floor *floor, const char *input, const char *output, bool reads_all);
