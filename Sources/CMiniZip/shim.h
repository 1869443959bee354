#pragma once
#include <minizip/unzip.h>
#include <string.h>

// minizip reads through functions of its caller. These read from memory, which stays where it is for as long as the archive is open.

/// The bytes of an archive, and the offset of the next one to be read.
struct minizip_memory {
    const unsigned char *bytes;
    ZPOS64_T size;
    ZPOS64_T offset;
};

static inline voidpf minizip_memory_open(voidpf memory, const void *name, int mode)
{
    (void)name;
    return (mode & ZLIB_FILEFUNC_MODE_READWRITEFILTER) == ZLIB_FILEFUNC_MODE_READ ? memory : NULL;
}

static inline uLong minizip_memory_read(voidpf opaque, voidpf stream, void *buffer, uLong size)
{
    struct minizip_memory *memory = (struct minizip_memory *)stream;
    (void)opaque;
    ZPOS64_T left = memory->size - memory->offset;
    if (size > left)
        size = (uLong)left;
    memcpy(buffer, memory->bytes + memory->offset, size);
    memory->offset += size;
    return size;
}

static inline ZPOS64_T minizip_memory_tell(voidpf opaque, voidpf stream)
{
    (void)opaque;
    return ((struct minizip_memory *)stream)->offset;
}

/// Offsets beyond the end are errors: archives name them freely.
static inline long minizip_memory_seek(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin)
{
    struct minizip_memory *memory = (struct minizip_memory *)stream;
    (void)opaque;
    ZPOS64_T base = origin == ZLIB_FILEFUNC_SEEK_CUR ? memory->offset : origin == ZLIB_FILEFUNC_SEEK_END ? memory->size : 0;
    if (base > memory->size || offset > memory->size - base)
        return -1;
    memory->offset = base + offset;
    return 0;
}

static inline int minizip_memory_close(voidpf opaque, voidpf stream)
{
    (void)opaque;
    (void)stream;
    return 0;
}

static inline int minizip_memory_error(voidpf opaque, voidpf stream)
{
    (void)opaque;
    (void)stream;
    return 0;
}

/// Opens an archive in memory; NULL if there is none.
static inline unzFile minizip_open(struct minizip_memory *memory)
{
    zlib_filefunc64_def functions;
    memset(&functions, 0, sizeof functions);
    functions.zopen64_file = minizip_memory_open;
    functions.zread_file = minizip_memory_read;
    functions.ztell64_file = minizip_memory_tell;
    functions.zseek64_file = minizip_memory_seek;
    functions.zclose_file = minizip_memory_close;
    functions.zerror_file = minizip_memory_error;
    functions.opaque = memory;
    return unzOpen2_64("", &functions);
}
