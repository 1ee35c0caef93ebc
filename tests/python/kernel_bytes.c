/* kernel_bytes: the output of every line of the list of kernels on fixed inputs, for tests/python/test_kernels.py, which
 * makes the same calls through the Python package:  NAME STATUS POSITION BYTES, a line break, then so many bytes.
 * kernel_bytes forms: the same of every row of the list of closed forms, for tests/python/test_forms.py:
 *     NAME STATUS OUTPUTS SIDE_BY_SIDE BYTES DOMAINS GOOD...
 * with the arguments that the row calls good, in arrays of FORM_N equal numbers where the domain is in upper case. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forms/forms_table.h"
#include "kernel_list/kernel_list.h"

enum { N = 1000, CANDIDATES = 100, ELEMENTS = N * CANDIDATES };

static double doubles[ELEMENTS], more[3][ELEMENTS];
static float floats[ELEMENTS];
static int64_t integers[ELEMENTS];
static size_t indices[ELEMENTS];
static uint32_t values[ELEMENTS];
static uint8_t bytes[ELEMENTS];
static double out[ELEMENTS];

static void fill_inputs(void)
{
    for (size_t i = 0; i < ELEMENTS; i++) {
        doubles[i] = (double)(i % 97) * 0.25 - 7;
        floats[i] = (float)doubles[i];
        integers[i] = (int64_t)(i * 37 % 1009) - 300;
        indices[i] = i * 13 % CANDIDATES;
        values[i] = (uint32_t)(i % 19); /* some are no value */
        bytes[i] = (uint8_t)(i * 7 % 5 % 2);
        more[0][i] = (double)(i % 5) * 0.5;
        more[1][i] = (double)(i % 7) * 0.25;
        more[2][i] = (double)(i % 3) + 0.5;
    }
}

static const void *same_as_out(kernel_out type)
{
    switch (type) {
    case OUT_F64: return doubles;
    case OUT_F32: return floats;
    case OUT_I64: return integers;
    case OUT_U32: return values;
    default: return bytes;
    }
}

static const void *input_of(const kernel_line *k, void *workspace)
{
    switch (k->in) {
    case IN_SAME: return same_as_out(k->out);
    case IN_F64: return doubles;
    case IN_F32: return floats;
    case IN_I64: return integers;
    case IN_BYTES: return bytes;
    case IN_INDEX: return indices;
    case IN_WORKSPACE: return workspace;
    default: return NULL;
    }
}

/* A sum begins with the numbers that it is added to. */
static void fill_sums(void)
{
    for (size_t i = 0; i < ELEMENTS; i++) out[i] = 0.0;
}

enum { FORM_N = 3 };

static void print_forms(const form_row *row)
{
    for (; row->name != NULL; row++) {
        double arguments[FORM_ARGUMENTS_MAX][FORM_N], made[FORM_N * 16];
        const double *a[FORM_ARGUMENTS_MAX];
        bool arrays = false;
        for (size_t j = 0; j < FORM_ARGUMENTS_MAX; j++) {
            for (size_t i = 0; i < FORM_N; i++) arguments[j][i] = row->good[j];
            a[j] = arguments[j];
        }
        for (const char *d = row->domains; *d != '\0'; d++) arrays |= isupper((unsigned char)*d) != 0;
        memset(made, 0, sizeof made);
        const size_t n = arrays ? FORM_N : 1, size = n * row->outputs * sizeof(double);
        const simdp_status status = row->call(made, n, a);
        printf("%s %d %zu %d %zu %s", row->name, (int)status, row->outputs, (row->flags & FORM_SIDE_BY_SIDE) != 0, size,
               row->domains);
        for (size_t j = 0; j < FORM_ARGUMENTS_MAX; j++) printf(" %.17g", row->good[j]);
        printf("\n");
        fwrite(made, 1, size, stdout);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "forms") == 0) {
        print_forms(forms_of_loss);
        print_forms(forms_of_account);
        print_forms(forms_of_others);
        return ferror(stdout) != 0;
    }
    uint8_t key[32];
    simdp_rng rng;
    const kernel_line *k;
    void *workspace = malloc(simdp_select_workspace(CANDIDATES));
    for (size_t i = 0; i < sizeof key; i++) key[i] = (uint8_t)i;
    fill_inputs();
    if (workspace == NULL || simdp_select_prepare(workspace, doubles, CANDIDATES, 1.0) != SIMDP_OK) return 1;
    for (size_t i = 0; (k = kernel_at(i)) != NULL; i++) {
        if (simdp_rng_init_deterministic(&rng, key, 5) != SIMDP_OK || simdp_rng_seek(&rng, 3) != SIMDP_OK) return 1;
        fill_sums();
        const size_t n = k->out == OUT_INDEX && k->winners == 0 && k->in != IN_BYTES ? CANDIDATES : N;
        const simdp_status status = k->run(&(kernel_call){.rng = &rng,
                                                          .out = out,
                                                          .in = input_of(k, workspace),
                                                          .n = n,
                                                          .candidates = CANDIDATES,
                                                          .ids = kernel_ids(n),
                                                          .p = k->good,
                                                          .more = {more[0], more[1], more[2]}});
        const size_t size = k->out == OUT_STEPS ? KERNEL_STEPS_MOST * sizeof(double) : kernel_out_bytes(k, n);
        printf("%s%s%s%s%s %d %llu %zu\n", k->name, k->form != NULL ? "." : "", k->form != NULL ? k->form : "",
               k->variant != NULL ? "/" : "", k->variant != NULL ? k->variant : "", (int)status,
               (unsigned long long)simdp_rng_position(&rng), size);
        fwrite(out, 1, size, stdout);
    }
    free(workspace);
    return ferror(stdout) != 0;
}
