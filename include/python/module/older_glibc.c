/* older_glibc.c: functions of glibc by the symbols that it has had from the start, so that the wheel runs where glibc is
 * older than that of the build: threads moved into libc with 2.34, stat became a function with 2.33, and exp and log have
 * a second version since 2.29. The linker sends every call in the module here (--wrap in CMakeLists.txt), whichever source has it;
 * a compile option could not do that, since sources choose the features of their headers themselves. tests/tree/test_symbols
 * fails when a newer symbol is asked for. */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <sys/stat.h>

#if defined(__x86_64__) && defined(__GLIBC__)
#define FIRST_VERSION(name) __asm__(".symver older_" #name ", " #name "@GLIBC_2.2.5")
FIRST_VERSION(exp);
FIRST_VERSION(log);
FIRST_VERSION(pthread_barrier_destroy);
FIRST_VERSION(pthread_barrier_init);
FIRST_VERSION(pthread_barrier_wait);
FIRST_VERSION(pthread_create);
FIRST_VERSION(pthread_join);
#define OLDER(name) older_##name
/* what stat was before: the first argument says which layout of the struct is meant, 1 being the only one here */
int __xstat(int layout, const char *path, struct stat *about);
int __fxstat(int layout, int fd, struct stat *about);
#define stat_by_path(path, about) __xstat(1, path, about)
#define stat_of_file(fd, about)   __fxstat(1, fd, about)
#else
#define OLDER(name)               __real_##name
int __real_stat(const char *path, struct stat *about);
int __real_fstat(int fd, struct stat *about);
#define stat_by_path(path, about) __real_stat(path, about)
#define stat_of_file(fd, about)   __real_fstat(fd, about)
#endif

typedef pthread_barrier_t barrier;
typedef pthread_barrierattr_t barrier_kind;
typedef void *thread_function(void *argument);

#define WRAPPED(result, name, arguments, ...) \
    result OLDER(name) arguments;             \
    result __wrap_##name arguments;           \
    result __wrap_##name arguments { return OLDER(name)(__VA_ARGS__); }

/* clang-format off */
WRAPPED(double, exp, (double x), x)
WRAPPED(double, log, (double x), x)
WRAPPED(int, pthread_barrier_destroy, (barrier *b), b)
WRAPPED(int, pthread_barrier_init, (barrier *b, const barrier_kind *kind, unsigned count), b, kind, count)
WRAPPED(int, pthread_barrier_wait, (barrier *b), b)
WRAPPED(int, pthread_create, (pthread_t *t, const pthread_attr_t *kind, thread_function *f, void *x), t, kind, f, x)
WRAPPED(int, pthread_join, (pthread_t t, void **result), t, result)
/* clang-format on */

int __wrap_stat(const char *path, struct stat *about);
int __wrap_stat(const char *path, struct stat *about) { return stat_by_path(path, about); }
int __wrap_fstat(int fd, struct stat *about);
int __wrap_fstat(int fd, struct stat *about) { return stat_of_file(fd, about); }
