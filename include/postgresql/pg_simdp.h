/* pg_simdp.h: what the files of the PostgreSQL extension share. */
#ifndef PG_SIMDP_H
#define PG_SIMDP_H

#include "postgres.h" /* first, as the server asks for */

#include "fmgr.h"
#include "simdp/simdp.h"
#include "utils/numeric.h"

/* Every function that SQL calls is visible; nothing else of the module is. (Servers before version 16 take it for granted that
 * everything is.) */
#undef PGDLLEXPORT
#define PGDLLEXPORT __attribute__((visibility("default")))
#define SQL_FUNCTION(name)                    \
    PGDLLEXPORT Datum name(PG_FUNCTION_ARGS); \
    PG_FUNCTION_INFO_V1(name);                \
    Datum name(PG_FUNCTION_ARGS)

/* An error of the server with the library's own words, unless status is SIMDP_OK. `detail` says which parameters are meant. */
void simdp_check(simdp_status status, const char *detail);

/* The stream of this server process, from entropy, opened at its first use: a postmaster never has one to hand down. */
simdp_rng *simdp_entropy(void);

/* The stream 0 of a key. The last key stays open, since all rows of a statement have the same. */
simdp_rng *simdp_keyed(const bytea *key);

/* An id as SQL has it: a bigint is its low half, a text is hashed by simdp_rng_id under the key. */
simdp_id simdp_id_of_bigint(int64 id);
simdp_id simdp_id_of_text(const simdp_rng *rng, const text *id);

/* Laplace or Gaussian noise for a promise, and the grid of its release. */
typedef struct {
    bool gaussian;
    double scale, grid;
} noise_plan;
noise_plan plan_laplace(double epsilon, double sensitivity);
noise_plan plan_gaussian(double epsilon, double delta, double sensitivity);

/* out = answers with noise from entropy, or, with ids, the noise that belongs to them under rng's key. */
void release_doubles(const noise_plan *plan, simdp_rng *rng, double *out, const double *answers, const simdp_id *ids,
                     size_t n);

/* A copy of an array of doubles with noise from entropy; elements that are NULL stay so. */
struct ArrayType;
struct ArrayType *release_array(const noise_plan *plan, struct ArrayType *values);

/* The largest double that is not above a positive decimal number: what a mechanism uses is never more than what was paid.
 * Numbers that are not above 0, NaN and infinity are refused. */
double double_below(Numeric number, const char *detail);

/* Pays, in a transaction of its own that is on disk when this returns, and gives the number of its line in the ledger.
 * Raises an error, and then nothing may be released, if the budget is too small or the payment is not certain. `space` is
 * the schema of the ledger. */
int64 ledger_pay(Oid space, const text *budget, Numeric epsilon, Numeric delta, const char *purpose);

#endif
