/*
 * Input and output of bytes, zstd-compressed or plain.
 *
 * The first bytes of an input tell whether it is compressed. Concatenated and
 * skippable frames are one stream; a frame that is cut short is an error,
 * reported only after all data before the cut has been returned.
 *
 * A stream may lose whole frames at its end, as when a copy of joined files stops
 * between two of them. So that this can be noticed, a skippable frame of 24 bytes
 * may come first: magic 0x184d2a5d, size 16, "rulelab" and a newline, and the number
 * of bytes that follow it at least, 8 bytes, all little-endian. Fewer are an error,
 * reported like a cut. Such streams can be joined, too. pipelines/games writes them.
 *
 * Output goes to standard output, or to a temporary file beside the file named
 * (beside its target, if that is a link, even a dangling one). zout_close()
 * renames it to the file named if all went well. A signal that ends the program
 * (HUP, INT, PIPE, QUIT, TERM) removes it first. The first error is kept; later
 * writes do nothing.
 */
#ifndef BASE_ZIO_H
#define BASE_ZIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct zin;
struct zout;

/* Opens a file, or standard input for "-". NULL with errno set on failure. */
struct zin *zin_open(const char *path);

/* Reads up to n bytes. Returns their number, 0 at the end, -1 on error. */
ssize_t zin_read(struct zin *z, void *buffer, size_t n);

/* Bytes of the file read so far, before decompression. */
uint64_t zin_offset(const struct zin *z);

/* The reason after zin_read() returned -1; NULL before. */
const char *zin_error(const struct zin *z);

void zin_close(struct zin *z);

/* Opens path, or standard output if path is NULL or "-". Compresses if asked
 * to or if path ends in .zst. NULL with errno set on failure. */
struct zout *zout_open(const char *path, bool compress);

/* The same, but writes to path itself and not to a temporary file, so that the
 * output of a killed program is kept. */
struct zout *zout_create(const char *path, bool compress);

/* Returns 0, or -1 once anything has failed. */
int zout_write(struct zout *z, const void *data, size_t n);

/* Writes all buffered data, so that a reader of the file or pipe can read it;
 * ends a block of a compressed stream. Returns as zout_write(). */
int zout_flush(struct zout *z);

/* Finishes, closes and frees z: 0, or -1 with errno set if anything was lost; a
 * file named is then left as it was. */
int zout_close(struct zout *z);

/* Will zout_close() rename a temporary file? */
bool zout_replaces(const struct zout *z);

/* The file that a path leads to, with links followed; it need not exist. The
 * caller frees it. NULL with errno set on failure. */
char *zio_resolve(const char *path);

/* Renames a file and syncs its folder, so that the new name survives a crash.
 * 0, or -1 with errno set. */
int zio_rename(const char *from, const char *to);

/* Closes and frees z without finishing; what zout_open() would have replaced is
 * left as it was. */
void zout_abandon(struct zout *z);

#endif
