/*
 * Streams of bytes, zstd-compressed or not.
 *
 * Input is told apart by its first bytes. Concatenated and skippable frames
 * are one stream; a frame that is cut short is an error, reported only after
 * all that came before it has been handed out.
 *
 * Output goes to standard output or to a temporary file beside the one named,
 * (or the one that a link leads to, be it there or not), which takes its place
 * when zout_close() succeeds and not before. A signal
 * that ends the program (HUP, INT, PIPE, QUIT, TERM) removes it first. The
 * first error is kept; later writes do nothing.
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

/* Reads up to n bytes: how many, 0 at the end, -1 on error. */
ssize_t zin_read(struct zin *z, void *buffer, size_t n);

/* Bytes of the file that have been read so far, compressed as they are there. */
uint64_t zin_offset(const struct zin *z);

/* What was wrong, after zin_read() gave -1. */
const char *zin_error(const struct zin *z);

void zin_close(struct zin *z);

/* Opens path, or standard output when path is NULL or "-"; compresses when
 * asked to and when path ends in .zst. NULL with errno set on failure. */
struct zout *zout_open(const char *path, bool compress);

/* Opens path itself, and not a temporary file, for those who want to find
 * what a killed program had written. */
struct zout *zout_create(const char *path, bool compress);

/* Returns 0, or -1 once anything has failed. */
int zout_write(struct zout *z, const void *data, size_t n);

/* Hands what has been written so far to the system, so that a reader at the
 * other end sees it; a compressed stream gets a block's end. */
int zout_flush(struct zout *z);

/* Finishes and closes: 0, or -1 if anything was lost (errno tells what). On
 * failure a named file is left as it was before. z is gone either way. */
int zout_close(struct zout *z);

/* Will zout_close() put a file in the place of another, or of none? */
bool zout_replaces(const struct zout *z);

/* The file that a path leads to, to be freed: it need not be there, but a link
 * to it stays. NULL with errno set. */
char *zio_resolve(const char *path);

/* Gives a file another name, for good even if the machine goes down. -1 with
 * errno set. */
int zio_rename(const char *from, const char *to);

/* Closes without a word and leaves a named file as it was before. */
void zout_abandon(struct zout *z);

#endif
