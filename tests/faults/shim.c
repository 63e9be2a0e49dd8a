/* File-system calls that go wrong on purpose, for what is loaded after this (LD_PRELOAD).

   `faults_arm` says from which call on and how; calls are counted that are about files below a
   folder. `faults_count` tells how many there were. What was written and not synced since is told
   in a log, by which a test lets it be lost, as when the power fails. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* How a call goes wrong: the process is killed before it, or half done; it is asked to end; the
   disk is full from here on; this one call fails. */
enum { NOTHING, KILL, TERM, FULL, FAILS };
/* What a call does, for which of them counts: takes room, changes something else, or reads. */
enum { TAKES_ROOM, CHANGES, READS };

static char below[PATH_MAX];
static size_t below_length;
static long at;
static int how;
static int log_file = -1;
static atomic_int armed;
static atomic_long calls;

void faults_arm(const char *folder, long call, int action, const char *log) {
    below_length = (size_t)snprintf(below, sizeof below, "%s/", folder);
    at = call;
    how = action;
    atomic_store(&calls, 0);
    log_file = *log ? (int)syscall(SYS_openat, AT_FDCWD, log, O_CREAT | O_WRONLY | O_APPEND, 0600) : -1;
    atomic_store(&armed, 1);
}

long faults_count(void) {
    atomic_store(&armed, 0);
    return atomic_load(&calls);
}

static int is_below(const char *path) { return strncmp(path, below, below_length) == 0; }

/* The whole name of what a call is about; false where it lies elsewhere. */
static int path_of(int folder, const char *path, char *whole) {
    char link[64], base[PATH_MAX];
    if (path && *path == '/') return snprintf(whole, PATH_MAX, "%s", path) > 0 && is_below(whole);
    if (folder == AT_FDCWD) snprintf(link, sizeof link, "/proc/self/cwd");
    else snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, base, sizeof base - 1);
    if (length <= 0) return 0;
    base[length] = 0;
    if (path) {
        if (snprintf(whole, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) return 0;
    } else snprintf(whole, PATH_MAX, "%s", base);
    return is_below(whole);
}

static int of_file(int file, char *whole) {
    struct stat facts;
    int kept = errno;
    int found = atomic_load(&armed) && file >= 0 && file != log_file && fstat(file, &facts) == 0 &&
                S_ISREG(facts.st_mode) && path_of(file, NULL, whole);
    errno = kept;
    return found;
}

static int of_path(int folder, const char *path, char *whole) {
    int kept = errno;
    int found = atomic_load(&armed) && path && path_of(folder, path, whole);
    errno = kept;
    return found;
}

static void tell(char what, const char *path, const char *other, long size) {
    char line[2 * PATH_MAX + 64];
    if (log_file < 0) return;
    int length = snprintf(line, sizeof line, "%c\t%ld\t%s\t%s\n", what, size, path, other);
    if (length > 0 && (size_t)length < sizeof line) syscall(SYS_write, log_file, line, (size_t)length);
}

static void size_told(char what, int file, const char *path) {
    struct stat facts;
    if (log_file >= 0 && fstat(file, &facts) == 0) tell(what, path, "", (long)facts.st_size);
}

/* What this call fails with, or 0; with `torn`, true if it is to be half done before the end. */
static int fault(int kind, int *torn) {
    if (how != FAILS && kind == READS) return 0;
    if (how == FULL && kind != TAKES_ROOM) return 0;
    long now = atomic_fetch_add(&calls, 1);
    if (how == FULL) return now >= at && at >= 0 ? ENOSPC : 0;
    if (now != at) return 0;
    if (how == FAILS) return EIO;
    if (how == TERM) kill(getpid(), SIGTERM);
    if (how == KILL) {
        if (torn && at % 2) *torn = 1;
        else kill(getpid(), SIGKILL);
    }
    return 0;
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define FAIL_OF(kind, result) do { int wrong = fault(kind, NULL); if (wrong) { errno = wrong; return result; } } while (0)

static int makes(int flags) { return (flags & (O_CREAT | O_TRUNC)) != 0; }

#define OPENER(name, head, folder, args)                                                    \
    int name head {                                                                          \
        REAL(name);                                                                          \
        char whole[PATH_MAX];                                                                \
        mode_t mode = 0;                                                                     \
        if (flags & (O_CREAT | O_TMPFILE)) {                                                 \
            va_list more;                                                                    \
            va_start(more, flags);                                                           \
            mode = va_arg(more, mode_t);                                                     \
            va_end(more);                                                                    \
        }                                                                                    \
        int ours = of_path(folder, path, whole);                                             \
        if (ours) FAIL_OF(makes(flags) ? TAKES_ROOM : READS, -1);                            \
        int file = real args;                                                                \
        if (ours && file >= 0 && (flags & O_ACCMODE) != O_RDONLY)                            \
            size_told(flags & O_TRUNC ? 'w' : 'o', file, whole);                             \
        return file;                                                                         \
    }
OPENER(open, (const char *path, int flags, ...), AT_FDCWD, (path, flags, mode))
OPENER(open64, (const char *path, int flags, ...), AT_FDCWD, (path, flags, mode))
OPENER(openat, (int folder, const char *path, int flags, ...), folder, (folder, path, flags, mode))
OPENER(openat64, (int folder, const char *path, int flags, ...), folder, (folder, path, flags, mode))

#define WRITER(name, head, args, half)                                                      \
    ssize_t name head {                                                                      \
        REAL(name);                                                                          \
        char whole[PATH_MAX];                                                                \
        if (!of_file(file, whole)) return real args;                                         \
        int torn = 0, wrong = fault(TAKES_ROOM, &torn);                                      \
        if (wrong) { errno = wrong; return -1; }                                             \
        if (torn) { half; kill(getpid(), SIGKILL); }                                         \
        ssize_t done = real args;                                                            \
        size_told('w', file, whole);                                                         \
        return done;                                                                         \
    }
WRITER(write, (int file, const void *bytes, size_t count), (file, bytes, count), real(file, bytes, count / 2))
WRITER(pwrite, (int file, const void *bytes, size_t count, off_t place), (file, bytes, count, place), real(file, bytes, count / 2, place))
WRITER(pwrite64, (int file, const void *bytes, size_t count, off64_t place), (file, bytes, count, place), real(file, bytes, count / 2, place))
WRITER(writev, (int file, const struct iovec *bytes, int count), (file, bytes, count), real(file, bytes, count / 2))
WRITER(sendfile, (int file, int from, off_t *place, size_t count), (file, from, place, count), real(file, from, place, count / 2))
WRITER(sendfile64, (int file, int from, off64_t *place, size_t count), (file, from, place, count), real(file, from, place, count / 2))

ssize_t copy_file_range(int from, off64_t *from_place, int file, off64_t *place, size_t count, unsigned flags) {
    REAL(copy_file_range);
    char whole[PATH_MAX];
    int ours = of_file(file, whole);
    if (ours) FAIL_OF(TAKES_ROOM, -1);
    ssize_t done = real(from, from_place, file, place, count, flags);
    if (ours) size_told('w', file, whole);
    return done;
}

#define READER(name, head, args)                                                            \
    ssize_t name head {                                                                      \
        REAL(name);                                                                          \
        char whole[PATH_MAX];                                                                \
        if (how == FAILS && of_file(file, whole)) FAIL_OF(READS, -1);                        \
        return real args;                                                                    \
    }
READER(read, (int file, void *bytes, size_t count), (file, bytes, count))
READER(pread, (int file, void *bytes, size_t count, off_t place), (file, bytes, count, place))
READER(pread64, (int file, void *bytes, size_t count, off64_t place), (file, bytes, count, place))

#define CHANGER(name, head, args, kind, ours_is, afterwards)                                \
    int name head {                                                                          \
        REAL(name);                                                                          \
        char whole[PATH_MAX];                                                                \
        int ours = ours_is;                                                                  \
        if (ours) FAIL_OF(kind, -1);                                                         \
        int done = real args;                                                                \
        if (ours && done == 0) afterwards;                                                   \
        return done;                                                                         \
    }
CHANGER(ftruncate, (int file, off_t size), (file, size), TAKES_ROOM, of_file(file, whole), size_told('w', file, whole))
CHANGER(ftruncate64, (int file, off64_t size), (file, size), TAKES_ROOM, of_file(file, whole), size_told('w', file, whole))
CHANGER(fsync, (int file), (file), CHANGES, of_file(file, whole), size_told('s', file, whole))
CHANGER(fdatasync, (int file), (file), CHANGES, of_file(file, whole), size_told('s', file, whole))
CHANGER(mkdir, (const char *path, mode_t mode), (path, mode), TAKES_ROOM, of_path(AT_FDCWD, path, whole), (void)0)
CHANGER(mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode), TAKES_ROOM, of_path(folder, path, whole), (void)0)
CHANGER(rmdir, (const char *path), (path), CHANGES, of_path(AT_FDCWD, path, whole), (void)0)
CHANGER(unlink, (const char *path), (path), CHANGES, of_path(AT_FDCWD, path, whole), tell('u', whole, "", 0))
CHANGER(unlinkat, (int folder, const char *path, int flags), (folder, path, flags), CHANGES, of_path(folder, path, whole), tell('u', whole, "", 0))

/* These give the error, and do not set it. */
#define RESERVER(name, type)                                                                \
    int name(int file, type place, type size) {                                              \
        REAL(name);                                                                          \
        char whole[PATH_MAX];                                                                \
        int ours = of_file(file, whole), wrong = ours ? fault(TAKES_ROOM, NULL) : 0;         \
        if (wrong) return wrong;                                                             \
        int done = real(file, place, size);                                                  \
        if (ours && done == 0) size_told('w', file, whole);                                  \
        return done;                                                                         \
    }
RESERVER(posix_fallocate, off_t)
RESERVER(posix_fallocate64, off64_t)

#define RENAMER(name, head, args, from_folder, to_folder, what)                             \
    int name head {                                                                          \
        REAL(name);                                                                          \
        char whole[PATH_MAX], other[PATH_MAX];                                               \
        int ours = of_path(from_folder, from, whole) && of_path(to_folder, to, other);       \
        if (ours) FAIL_OF(CHANGES, -1);                                                      \
        int done = real args;                                                                \
        if (ours && done == 0) tell(what, whole, other, 0);                                  \
        return done;                                                                         \
    }
RENAMER(rename, (const char *from, const char *to), (from, to), AT_FDCWD, AT_FDCWD, 'r')
RENAMER(renameat, (int here, const char *from, int there, const char *to), (here, from, there, to), here, there, 'r')
RENAMER(renameat2, (int here, const char *from, int there, const char *to, unsigned flags), (here, from, there, to, flags), here, there, 'r')
RENAMER(link, (const char *from, const char *to), (from, to), AT_FDCWD, AT_FDCWD, 'l')
