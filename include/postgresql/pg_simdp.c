/* pg_simdp.c: what all functions of the extension need: errors, streams, ids. */
#include "pg_simdp.h"

#include "utils/builtins.h"

PG_MODULE_MAGIC;

static int error_code(simdp_status status)
{
    switch (status) {
    case SIMDP_EPARAM: return ERRCODE_INVALID_PARAMETER_VALUE;
    case SIMDP_ENOMEMORY: return ERRCODE_OUT_OF_MEMORY;
    case SIMDP_ECANCELLED: return ERRCODE_QUERY_CANCELED;
    case SIMDP_EENTROPY:
    case SIMDP_EISA: return ERRCODE_SYSTEM_ERROR;
    default: return ERRCODE_INTERNAL_ERROR;
    }
}

void simdp_check(simdp_status status, const char *detail)
{
    if (status == SIMDP_OK) return;
    ereport(ERROR, (errcode(error_code(status)), errmsg("simdp: %s", simdp_status_text(status)),
                    detail == NULL ? 0 : errdetail("%s", detail)));
}

simdp_rng *simdp_entropy(void)
{
    static simdp_rng rng;
    static bool open;
    if (!open) simdp_check(simdp_rng_init(&rng), NULL);
    open = true;
    return &rng;
}

simdp_rng *simdp_keyed(const bytea *key)
{
    static simdp_rng rng;
    static uint8_t known[32];
    static bool open;
    if (VARSIZE_ANY_EXHDR(key) != sizeof known) simdp_check(SIMDP_EPARAM, "A key has 32 bytes.");
    if (open && memcmp(known, VARDATA_ANY(key), sizeof known) == 0) return &rng;
    open = false;
    memcpy(known, VARDATA_ANY(key), sizeof known);
    simdp_check(simdp_rng_init_deterministic(&rng, known, 0), NULL);
    open = true;
    return &rng;
}

simdp_id simdp_id_of_bigint(int64 id) { return (simdp_id){(uint64)id, 0}; }

simdp_id simdp_id_of_text(const simdp_rng *rng, const text *id)
{
    simdp_id result = {0, 0};
    simdp_check(simdp_rng_id(rng, &result, VARDATA_ANY(id), VARSIZE_ANY_EXHDR(id)), NULL);
    return result;
}

/* A new key, made inside of the server so that it is in no statement and no log. */
SQL_FUNCTION(dp_new_key)
{
    bytea *key = palloc(VARHDRSZ + 32);
    SET_VARSIZE(key, VARHDRSZ + 32);
    if (!pg_strong_random(VARDATA(key), 32)) simdp_check(SIMDP_EENTROPY, NULL);
    PG_RETURN_BYTEA_P(key);
}

SQL_FUNCTION(dp_version) { PG_RETURN_TEXT_P(cstring_to_text(psprintf("%s %s", simdp_version(), simdp_isa_name()))); }
