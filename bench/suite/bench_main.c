/* bench_main.c: simdp-bench: arguments, context of the results, all rooms. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_inputs.h"
#include "peers/peers_mkl.h"
#include "peers/peers_sleef.h"

enum { SIZES_MAX = 64 };
#define BATCH_MAX ((size_t)BENCH_BATCH_MAX)

static const char usage[] =
    "usage: simdp-bench [--sizes=N,N,...] [--threads=N] [--large] [--serve] [--info] [--benchmark_...]\n"
    "  --sizes=N,N,...    batch sizes, 1 to 67108864 elements\n"
    "  --threads=N        samplers in N threads side by side (1)\n"
    "  --large            also what is measured on 1e8 elements, if there is memory\n"
    "  --serve            run rows that stdin asks for, as bench/measure does (suite/shim.h)\n"
    "  --info             what would be measured with, and stop\n"
    "  --help             this, and the options of Google Benchmark\n";

static const char default_sizes[] = "1,16,64,256,1024,4096,65536,1048576";

#define STRING_OF(x) #x
#define STRING(x)    STRING_OF(x)
#if defined(__clang__)
#define COMPILER "clang " STRING(__clang_major__) "." STRING(__clang_minor__) "." STRING(__clang_patchlevel__)
#else
#define COMPILER "gcc " STRING(__GNUC__) "." STRING(__GNUC_MINOR__) "." STRING(__GNUC_PATCHLEVEL__)
#endif

static size_t parse_sizes(const char *text, size_t sizes[SIZES_MAX]) /* 0: not a list of sizes */
{
    size_t count = 0;
    for (;;) {
        char *end;
        errno = 0;
        const unsigned long long size = strtoull(text, &end, 10);
        if (*text < '0' || *text > '9' || errno != 0 || size == 0 || size > BATCH_MAX || count == SIZES_MAX) return 0;
        sizes[count++] = (size_t)size;
        if (*end == '\0') return count;
        if (*end != ',') return 0;
        text = end + 1;
    }
}

static void add_context(bool print)
{
    const char *limit = getenv("MKL_ENABLE_INSTRUCTIONS");
    const struct {
        const char *key, *value;
    } lines[] = {
        {"simdp", simdp_version()},         {"compiler", COMPILER},
        {"flags", BENCH_COMMON_FLAGS},      {"kernel_flags", BENCH_KERNEL_FLAGS},
        {"mkl", peers_mkl_version()},       {"mkl_code", peers_mkl_code()},
        {"mkl_direct", peers_mkl_direct()}, {"mkl_limit", limit == NULL ? "none" : limit},
        {"sleef", peers_sleef_version()},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (print) printf("%s: %s\n", lines[i].key, lines[i].value);
        sb_context(lines[i].key, lines[i].value);
    }
}

/* The value of "--name=value", or NULL if the argument is another one. */
static const char *value_of(const char *argument, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1 : NULL;
}

int main(int argc, char **argv)
{
    const char *sizes_text = default_sizes, *threads_text = "1";
    size_t sizes[SIZES_MAX], largest = 0;
    bool info = false, large = false, serve = false;
    int kept = 1; /* arguments that are not ours go to Google Benchmark */
    for (int i = 1; i < argc; i++) {
        const char *value;
        if ((value = value_of(argv[i], "--sizes")) != NULL) sizes_text = value;
        else if ((value = value_of(argv[i], "--threads")) != NULL) threads_text = value;
        else if (strcmp(argv[i], "--info") == 0) info = true;
        else if (strcmp(argv[i], "--large") == 0) large = true;
        else if (strcmp(argv[i], "--serve") == 0) serve = true;
        else argv[kept++] = argv[i];
        if (strcmp(argv[i], "--help") == 0) fputs(usage, stdout);
    }
    bench_plan plan = {.sizes = sizes, .count = parse_sizes(sizes_text, sizes), .large = large};
    if (plan.count == 0) {
        fprintf(stderr, "simdp-bench: --sizes=%s is not a list of 1 to %d numbers from 1 to %zu\n%s", sizes_text,
                SIZES_MAX, BATCH_MAX, usage);
        return 2;
    }
    plan.threads = atoi(threads_text);
    if (plan.threads < 1 || plan.threads > BENCH_THREADS_MAX) {
        fprintf(stderr, "simdp-bench: --threads=%s is not a number from 1 to %d\n%s", threads_text, BENCH_THREADS_MAX,
                usage);
        return 2;
    }
    add_context(info);
    if (info) return 0;
    for (size_t i = 0; i < plan.count; i++) largest = sizes[i] > largest ? sizes[i] : largest;
    largest = (largest * (size_t)plan.threads * BENCH_ELEMENT_MAX + 63) / 64 * 64;
    plan.out = aligned_alloc(64, largest);
    if (plan.out == NULL) {
        fprintf(stderr, "simdp-bench: no memory for %zu bytes of output\n", largest);
        return 2;
    }
    memset(plan.out, 1, largest); /* so that no row pays for the first touch of a page */
    inputs_fill();
    bench_kernels(&plan);
    if (plan.threads == 1) {
        bench_account(&plan);
        bench_fft(&plan);
        bench_roof(&plan);
    }
    const int status = serve ? sb_serve() : sb_run(kept, argv);
    free(plan.out);
    return status;
}
