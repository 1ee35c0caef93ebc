/* fuzz_read: the command's readers of text, CSV, npy and raw files, and of their identities, on any bytes. A broken
 * file ends the program there; here it ends the attempt. */
#define _GNU_SOURCE
#include "fuzz.h"

#include <setjmp.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats.h"

static jmp_buf broken;

/* In place of exit, see CMakeLists.txt. */
_Noreturn void fuzz_exit(int status);
_Noreturn void fuzz_exit(int status)
{
    MUST(status == 1 || status == 2, "exit %d", status);
    longjmp(broken, 1);
}

static source from; /* what a broken file left behind is freed as well */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const format *const forms[] = {&format_text, &format_csv, &format_npy, &format_raw};
    static const element types[] = {ELEMENT_F64, ELEMENT_F32, ELEMENT_I64, ELEMENT_BIT, ELEMENT_U32, ELEMENT_WORD};
    static _Alignas(64) unsigned char values[8 * 256];
    static simdp_id ids[256];
    static const uint8_t key[32] = {1};
    script s = {bytes, bytes + size};
    const format *const form = forms[script_below(&s, 4)];
    const element type = types[script_below(&s, 6)];
    const bool is_csv = form == &format_csv;
    const char *const id_column = is_csv && script_below(&s, 2) == 1 ? "id" : NULL;
    simdp_rng rng;
    if (simdp_rng_init_deterministic(&rng, key, 0) != SIMDP_OK) abort();
    const int fd = memfd_create("input", 0);
    if (fd < 0 || write(fd, s.next, (size_t)(s.end - s.next)) != s.end - s.next) abort();
    char name[32];
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    memset(&from, 0, sizeof from);
    if (setjmp(broken) == 0) {
        source_open(&from, name, form, type, is_csv ? "x" : NULL, id_column);
        uint64_t read = 0;
        for (size_t n; (n = source_read(&from, values, 256)) > 0; read += n) {
            MUST(n <= 256, "%zu elements", n);
            if (source_has_ids(&from)) source_ids(&from, &rng, ids, 1);
        }
        MUST(from.count == COUNT_UNKNOWN || from.count == read, "%llu elements instead of %llu",
             (unsigned long long)read, (unsigned long long)from.count);
    }
    source_close(&from);
    free(from.csv.text);
    free(from.csv.header);
    free(from.csv.records);
    free(from.ids.slots);
    close(fd);
    return 0;
}
