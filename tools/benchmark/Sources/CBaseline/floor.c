#include "floor.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAXIMUM_DEPTH = 100,
    /// What is copied at once, whatever is needed: pieces up to this size take no loop.
    STEP = 16,
    /// What exports hand to the system at once.
    PIECE = 1 << 18,
    MAXIMUM_NAMES = 1 << 16,
    LONGEST = UINT16_MAX,
};

/// A field: the number of its type and name, and the length of its value. Values come one after the other.
struct field {
    uint16_t name;
    uint16_t length;
};

struct name {
    uint16_t length;
    uint8_t bytes[126];
};

struct bytes {
    uint8_t *start;
    size_t count, capacity;
};

struct floor {
    struct name *names;
    size_t name_count;
    uint32_t slots[4 * MAXIMUM_NAMES];
    struct bytes fields, values;
    /// The output, as it has to be.
    struct bytes expected;
};

static void append(struct bytes *bytes, const void *start, size_t count) {
    if (bytes->count + count + STEP > bytes->capacity) {
        bytes->capacity = 2 * (bytes->count + count + STEP);
        bytes->start = realloc(bytes->start, bytes->capacity);
        if (!bytes->start) abort();
    }
    memcpy(bytes->start + bytes->count, start, count);
    bytes->count += count;
}

/// The number of a type with a name; the first is empty.
static bool name_number(struct floor *floor, const uint8_t *bytes, size_t length, uint16_t *number) {
    if (length > sizeof floor->names->bytes) return false;
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ bytes[i]) * 16777619u;
    for (size_t slot = hash % (4 * MAXIMUM_NAMES);; slot = (slot + 1) % (4 * MAXIMUM_NAMES)) {
        uint32_t known = floor->slots[slot];
        if (known) {
            struct name *name = &floor->names[known - 1];
            if (name->length != length || memcmp(name->bytes, bytes, length)) continue;
            *number = (uint16_t)(known - 1);
            return true;
        }
        if (floor->name_count == MAXIMUM_NAMES) return false;
        *number = (uint16_t)floor->name_count;
        floor->names[floor->name_count].length = (uint16_t)length;
        memcpy(floor->names[floor->name_count++].bytes, bytes, length);
        floor->slots[slot] = (uint32_t)floor->name_count;
        return true;
    }
}

static void add_value(struct floor *floor, uint16_t name, const uint8_t *bytes, size_t length) {
    append(&floor->values, bytes, length);
    do {
        struct field field = {name, (uint16_t)(length < LONGEST ? length : LONGEST)};
        append(&floor->fields, &field, sizeof field);
        length -= field.length;
        name = 0;
    } while (length > 0);
}

/// Adds a document, whose length is known to fit, with all that is in it.
static bool add_document(struct floor *floor, uint16_t own_name, const uint8_t *bytes, size_t size, int depth) {
    if (depth >= MAXIMUM_DEPTH || size < 5) return false;
    add_value(floor, own_name, bytes, 4);
    size_t offset = 4;
    while (offset + 1 < size) {
        uint8_t type = bytes[offset];
        const uint8_t *end = memchr(bytes + offset + 1, 0, size - offset - 1);
        uint16_t name;
        if (!end || !name_number(floor, bytes + offset, (size_t)(end + 1 - bytes) - offset, &name)) return false;
        offset = (size_t)(end + 1 - bytes);
        uint32_t length = 0;
        if (size - offset >= 4) memcpy(&length, bytes + offset, 4);
        size_t value;
        switch (type) {
        case 0x01: case 0x09: case 0x12: value = 8; break;
        case 0x02: value = 4 + (size_t)length; break;
        case 0x03: case 0x04: value = length; break;
        case 0x05: value = 5 + (size_t)length; break;
        case 0x07: value = 12; break;
        case 0x08: value = 1; break;
        case 0x0A: value = 0; break;
        case 0x10: value = 4; break;
        case 0x13: value = 16; break;
        default: return false;
        }
        if (value > size - offset) return false;
        if (type == 0x03 || type == 0x04) {
            if (!add_document(floor, name, bytes + offset, value, depth + 1)) return false;
        } else {
            add_value(floor, name, bytes + offset, value);
        }
        offset += value;
    }
    add_value(floor, 0, bytes + offset, 1);
    return true;
}

struct floor *floor_make(void) {
    struct floor *floor = calloc(1, sizeof *floor);
    floor->names = calloc(MAXIMUM_NAMES, sizeof *floor->names);
    uint16_t empty;
    name_number(floor, (const uint8_t *)"", 0, &empty);
    return floor;
}

void floor_free(struct floor *floor) {
    free(floor->names);
    free(floor->fields.start);
    free(floor->values.start);
    free(floor->expected.start);
    free(floor);
}

bool floor_add_file(struct floor *floor, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    size_t start = floor->expected.count;
    static uint8_t part[1 << 16];
    for (size_t count; (count = fread(part, 1, sizeof part, file)) > 0;) append(&floor->expected, part, count);
    fclose(file);
    while (start < floor->expected.count) {
        uint32_t length;
        const uint8_t *document = floor->expected.start + start;
        size_t rest = floor->expected.count - start;
        if (rest < 5) return false;
        memcpy(&length, document, 4);
        if (length > rest || !add_document(floor, 0, document, length, 0)) return false;
        start += length;
    }
    return true;
}

/// Copies a piece. Most are short; sixteen bytes can be read and written at any place.
static inline uint8_t *copied(uint8_t *target, const uint8_t *source, size_t length) {
    memcpy(target, source, STEP);
    if (__builtin_expect(length > STEP, 0)) memcpy(target + STEP, source + STEP, length - STEP);
    return target + length;
}

/// Loads one word of each page, or of each line of the cache.
static uint64_t touch(const uint8_t *bytes, size_t size, size_t step) {
    uint64_t sum = 0;
    for (size_t offset = 0; offset + 8 <= size; offset += step) sum += *(const volatile uint64_t *)(bytes + offset);
    return sum;
}

static bool written(int file, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t done = write(file, bytes, count);
        if (done <= 0) return false;
        bytes += done;
        count -= (size_t)done;
    }
    return true;
}

/// Makes all documents, and compares them, or writes them to a file.
static bool make(const struct floor *floor, int file, bool compares) {
    uint8_t *piece = malloc(PIECE + 2 * (LONGEST + STEP));
    uint8_t *end = piece;
    const uint8_t *value = floor->values.start;
    const struct field *fields = (const struct field *)floor->fields.start;
    size_t count = floor->fields.count / sizeof *fields;
    size_t done = 0;
    bool is_well = true;
    for (size_t i = 0; i < count; i++) {
        const struct name *name = &floor->names[fields[i].name];
        end = copied(end, name->bytes, name->length);
        end = copied(end, value, fields[i].length);
        value += fields[i].length;
        if (__builtin_expect(end - piece >= PIECE || i + 1 == count, 0)) {
            size_t size = (size_t)(end - piece);
            if (compares) {
                is_well &= done + size <= floor->expected.count && !memcmp(floor->expected.start + done, piece, size);
            } else {
                is_well &= written(file, piece, size);
            }
            done += size;
            end = piece;
        }
    }
    free(piece);
    return is_well && done == floor->expected.count;
}

bool floor_verify(const struct floor *floor) { return make(floor, -1, true); }

bool floor_run(const struct floor *floor, const char *input, const char *output, bool reads_all) {
    struct stat status;
    int source = open(input, O_RDONLY | O_CLOEXEC);
    if (source < 0 || fstat(source, &status)) return false;
    size_t size = (size_t)status.st_size;
    uint8_t *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, source, 0);
    if (bytes == MAP_FAILED) return false;
    volatile uint64_t sum = touch(bytes, size, reads_all ? 64 : 4096);
    (void)sum;
    int file = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool is_well = file >= 0 && make(floor, file, false);
    if (file >= 0) close(file);
    munmap(bytes, size);
    close(source);
    return is_well;
}
