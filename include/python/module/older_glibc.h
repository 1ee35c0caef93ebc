/* older_glibc.h: threads by the symbols that glibc has had from the start. Since 2.34 they stand in libc itself and have
 * a new version, which a program that is built there would ask for. */
#include <features.h>

#if defined(__x86_64__) && defined(__GLIBC__)
__asm__(".symver pthread_create, pthread_create@GLIBC_2.2.5");
__asm__(".symver pthread_join, pthread_join@GLIBC_2.2.5");
#endif
