/* pg_payment.c: a payment in a transaction of its own. The server process that wants to release starts a background worker,
 * which takes the money from the budget, writes a line into the ledger, commits, and only then says so. Whatever becomes of
 * the process that asked, of its transaction and of its client, the payment stays. */
#include "pg_simdp.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type_d.h"
#include "executor/spi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "storage/dsm.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/proc.h"
#include "tcop/tcopprot.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#define FIELD_BYTES   1024
#define SLOT_PATIENCE 10000 /* milliseconds that a release waits for a free worker */
#define LOCK_PATIENCE \
    10000 /* milliseconds that a worker waits for the row of a budget, if the session has no lock_timeout */

typedef enum { PAYMENT_OPEN, PAYMENT_MADE, PAYMENT_BEYOND, PAYMENT_NO_BUDGET, PAYMENT_FAILED } payment_state;

/* What the two processes share. The worker writes the last members, before its end; the state comes last of all. */
typedef struct {
    Oid database, schema, owner;
    int lock_patience;
    char budget[FIELD_BYTES], epsilon[FIELD_BYTES], delta[FIELD_BYTES], purpose[FIELD_BYTES], payer[NAMEDATALEN];
    int64 line;
    int error_code;
    char message[FIELD_BYTES];
    volatile payment_state state;
} payment;

PGDLLEXPORT void simdp_payment_main(Datum segment_handle);

/* ---- the worker ------------------------------------------------------------------------------------------------ */

static Datum text_of(const char *words) { return CStringGetTextDatum(words); }

/* One statement: under the lock of the budget's row the money is there and taken, or nothing happens. Sums of decimal numbers
 * are exact. */
static payment_state take(payment *p)
{
    const char *schema = quote_identifier(get_namespace_name(p->schema));
    Oid types[5] = {TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID};
    Datum values[5] = {text_of(p->budget), text_of(p->epsilon), text_of(p->delta), text_of(p->purpose),
                       text_of(p->payer)};
    const char *pay =
        psprintf("WITH paid AS (UPDATE %s.dp_budget SET epsilon_spent = epsilon_spent + $2::numeric, "
                 "delta_spent = delta_spent + $3::numeric WHERE name = $1 AND epsilon_spent + $2::numeric <= epsilon "
                 "AND delta_spent + $3::numeric <= delta RETURNING name) "
                 "INSERT INTO %s.dp_ledger (budget, epsilon, delta, purpose, payer) "
                 "SELECT name, $2::numeric, $3::numeric, $4, $5 FROM paid RETURNING line",
                 schema, schema);
    bool is_null;
    if (SPI_execute_with_args(pay, 5, types, values, NULL, false, 0) != SPI_OK_INSERT_RETURNING)
        elog(ERROR, "simdp: the ledger was not written");
    if (SPI_processed == 1) {
        p->line = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &is_null));
        return PAYMENT_MADE;
    }
    SPI_execute_with_args(psprintf("SELECT FROM %s.dp_budget WHERE name = $1", schema), 1, types, values, NULL, false,
                          0);
    return SPI_processed == 0 ? PAYMENT_NO_BUDGET : PAYMENT_BEYOND;
}

/* Settings of the database or the server must not soften a payment. */
static void own_settings(const payment *p)
{
    char patience[32];
    snprintf(patience, sizeof patience, "%d", p->lock_patience);
    SetConfigOption("lock_timeout", patience, PGC_USERSET, PGC_S_OVERRIDE);
    SetConfigOption("statement_timeout", "0", PGC_USERSET, PGC_S_OVERRIDE);
    SetConfigOption("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_OVERRIDE);
    SetConfigOption("default_transaction_isolation", "read committed", PGC_USERSET, PGC_S_OVERRIDE);
    SetConfigOption("default_transaction_read_only", "off", PGC_USERSET, PGC_S_OVERRIDE);
}

static payment_state pay_and_commit(payment *p)
{
    Oid user;
    int context;
    payment_state state;
    SetCurrentStatementStartTimestamp();
    StartTransactionCommand();
    SPI_connect();
    PushActiveSnapshot(GetTransactionSnapshot());
    GetUserIdAndSecContext(&user, &context);
    SetUserIdAndSecContext(p->owner, context | SECURITY_LOCAL_USERID_CHANGE | SECURITY_RESTRICTED_OPERATION);
    state = take(p);
    SetUserIdAndSecContext(user, context);
    SPI_finish();
    PopActiveSnapshot();
    ForceSyncCommit(); /* on disk before it counts, even with synchronous_commit = off */
    CommitTransactionCommand();
    return state;
}

void simdp_payment_main(Datum segment_handle)
{
    dsm_segment *segment;
    payment *p;
    payment_state state = PAYMENT_FAILED;
    MemoryContext memory;
    pqsignal(SIGTERM, die);
    BackgroundWorkerUnblockSignals();
    segment = dsm_attach(DatumGetUInt32(segment_handle));
    if (segment == NULL) proc_exit(0); /* who asked is gone: nothing is paid, and nothing was released */
    p = dsm_segment_address(segment);
    dsm_pin_mapping(segment);
    BackgroundWorkerInitializeConnectionByOid(p->database, InvalidOid, 0);
    own_settings(p);
    pgstat_report_activity(STATE_RUNNING, "simdp: payment");
    memory = CurrentMemoryContext;
    PG_TRY();
    {
        state = pay_and_commit(p);
    }
    PG_CATCH();
    {
        MemoryContextSwitchTo(memory);
        ErrorData *error = CopyErrorData();
        p->error_code = error->sqlerrcode;
        strlcpy(p->message, error->message == NULL ? "" : error->message, sizeof p->message);
        p->message[pg_mbcliplen(p->message, (int)strlen(p->message), FIELD_BYTES - 1)] = 0;
        EmitErrorReport();
        FlushErrorState();
        AbortCurrentTransaction();
    }
    PG_END_TRY();
    pg_write_barrier();
    p->state = state;
    proc_exit(0);
}

/* ---- who asks -------------------------------------------------------------------------------------------------- */

static void put(char *field, const char *words, const char *what)
{
    if (strlen(words) >= FIELD_BYTES)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("simdp: %s is too long", what)));
    strcpy(field, words);
}

static Oid owner_of_ledger(Oid schema)
{
    const Oid table = get_relname_relid("dp_budget", schema);
    HeapTuple tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
    Oid owner;
    if (!HeapTupleIsValid(tuple))
        ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE), errmsg("simdp: there is no ledger in this schema")));
    owner = ((Form_pg_class)GETSTRUCT(tuple))->relowner;
    ReleaseSysCache(tuple);
    return owner;
}

static const char *decimal(Numeric number, const char *what)
{
    const Numeric zero = DatumGetNumeric(DirectFunctionCall1(int4_numeric, Int32GetDatum(0)));
    if (numeric_is_nan(number) || numeric_is_inf(number) ||
        DatumGetBool(DirectFunctionCall2(numeric_lt, NumericGetDatum(number), NumericGetDatum(zero))))
        simdp_check(SIMDP_EPARAM, what);
    return DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(number)));
}

static dsm_segment *new_payment(Oid schema, const text *budget, Numeric epsilon, Numeric delta, const char *purpose)
{
    dsm_segment *segment = dsm_create(sizeof(payment), 0);
    payment *p = dsm_segment_address(segment);
    memset(p, 0, sizeof *p);
    p->state = PAYMENT_OPEN;
    p->database = MyDatabaseId;
    p->schema = schema;
    p->owner = owner_of_ledger(schema);
    p->lock_patience = LockTimeout > 0 ? LockTimeout : LOCK_PATIENCE;
    put(p->budget, text_to_cstring(budget), "the name of a budget");
    put(p->epsilon, decimal(epsilon, "epsilon must not be below 0."), "epsilon");
    put(p->delta, decimal(delta, "delta must not be below 0."), "delta");
    put(p->purpose, purpose, "the purpose");
    strlcpy(p->payer, GetUserNameFromId(GetSessionUserId(), false), sizeof p->payer);
    return segment;
}

/* Wakes when the latch is set, or after some milliseconds; a cancelled statement ends here. */
static void wait_a_while(long milliseconds)
{
    (void)WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, milliseconds, PG_WAIT_EXTENSION);
    ResetLatch(MyLatch);
    CHECK_FOR_INTERRUPTS();
}

static BackgroundWorkerHandle *start_worker(dsm_segment *segment)
{
    BackgroundWorker worker;
    BackgroundWorkerHandle *handle;
    const TimestampTz begin = GetCurrentTimestamp();
    memset(&worker, 0, sizeof worker);
    worker.bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION;
    worker.bgw_start_time = BgWorkerStart_RecoveryFinished;
    worker.bgw_restart_time = BGW_NEVER_RESTART;
    worker.bgw_main_arg = UInt32GetDatum(dsm_segment_handle(segment));
    worker.bgw_notify_pid = MyProcPid;
    strlcpy(worker.bgw_name, "simdp payment", sizeof worker.bgw_name);
    strlcpy(worker.bgw_type, "simdp payment", sizeof worker.bgw_type);
    strlcpy(worker.bgw_library_name, "simdp", sizeof worker.bgw_library_name);
    strlcpy(worker.bgw_function_name, "simdp_payment_main", sizeof worker.bgw_function_name);
    while (!RegisterDynamicBackgroundWorker(&worker, &handle)) {
        if (TimestampDifferenceExceeds(begin, GetCurrentTimestamp(), SLOT_PATIENCE))
            ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_RESOURCES),
                            errmsg("simdp: no background worker was free for the payment; nothing was released"),
                            errhint("Raise max_worker_processes.")));
        wait_a_while(5);
    }
    return handle;
}

/* Until the worker has ended. If the statement is cancelled, so is a worker that still waits; what it paid stays paid. */
static void await_end(BackgroundWorkerHandle *handle)
{
    pid_t pid;
    PG_TRY();
    {
        for (;;) {
            const BgwHandleStatus status = GetBackgroundWorkerPid(handle, &pid);
            if (status == BGWH_STOPPED || status == BGWH_POSTMASTER_DIED) break;
            wait_a_while(1000);
        }
    }
    PG_CATCH();
    {
        TerminateBackgroundWorker(handle);
        PG_RE_THROW();
    }
    PG_END_TRY();
}

/* Every end of a payment but a good one is an error, and an error releases nothing. */
static void refuse_unless_made(const payment *p)
{
    if (p->state == PAYMENT_MADE) return;
    if (p->state == PAYMENT_BEYOND)
        ereport(ERROR,
                (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                 errmsg("simdp: the budget \"%s\" does not have that much left", p->budget),
                 errdetail("Asked for: epsilon %s, delta %s. Nothing was paid or released.", p->epsilon, p->delta)));
    if (p->state == PAYMENT_NO_BUDGET)
        ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT), errmsg("simdp: there is no budget \"%s\"", p->budget),
                        errhint("A budget can be spent once the transaction that made it is committed.")));
    if (p->state == PAYMENT_FAILED)
        ereport(ERROR,
                (errcode(p->error_code), errmsg("simdp: the payment failed, nothing was released: %s", p->message)));
    ereport(ERROR, (errcode(ERRCODE_SYSTEM_ERROR), errmsg("simdp: the payment is not certain; nothing was released"),
                    errhint("The ledger says whether it was made.")));
}

int64 ledger_pay(Oid space, const text *budget, Numeric epsilon, Numeric delta, const char *purpose)
{
    if (RecoveryInProgress())
        ereport(ERROR,
                (errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION), errmsg("simdp: a standby cannot pay for a release")));
    dsm_segment *segment = new_payment(space, budget, epsilon, delta, purpose);
    const payment *p = dsm_segment_address(segment);
    await_end(start_worker(segment));
    pg_read_barrier();
    refuse_unless_made(p);
    const int64 line = p->line;
    dsm_detach(segment);
    return line;
}
