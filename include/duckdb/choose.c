/* choose.c: the aggregate dp_choose, the exponential mechanism over the rows of a group. A state collects candidates and
 * scores; the choice is made when the group is complete. Rows come in any order, from any thread: they are sorted before
 * the choice, so that it depends on the group as a set. */
#include "extension.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME   "dp_choose"
#define RANGES "0 < epsilon < inf, 0 < sensitivity < inf"

/* A row: a number, or `length` bytes of text from `place` on in the state's text. */
typedef struct {
    double score;
    int64_t number;
    size_t place, length;
} entry;

/* The rows of a group. `wanted` is what all of them asked for; the id counts with ids only. */
typedef struct {
    entry *entries;
    char *text;
    size_t n, room, text_size, text_room;
    struct {
        double epsilon, sensitivity;
        simdp_id id, key_name; /* an id belongs to the key under which it was made */
    } wanted;
    bool has_wanted, is_null; /* a parameter or an id was NULL: so is the answer */
} group;

typedef struct {
    group *rows; /* NULL: no row yet */
} state;

typedef struct {
    database *db;
    bool is_text, with_id;
    duckdb_type id_type;
} choose_function;

/* Room for one more of `size` bytes each; false without memory. */
static bool grow(void **memory, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room) return true;
    const size_t more = needed < 8 ? 8 : needed + needed / 2;
    if (more < needed || more > PTRDIFF_MAX / size) return false;
    void *larger = realloc(*memory, more * size);
    if (larger == NULL) return false;
    *memory = larger;
    *room = more;
    return true;
}

static bool add_entry(group *g, double score, int64_t number, const char *text, size_t length)
{
    void *entries = g->entries, *bytes = g->text;
    const bool is_room = grow(&entries, &g->room, g->n + 1, sizeof(entry));
    g->entries = entries;
    if (!is_room) return false;
    if (length > 0) {
        const bool is_text_room = grow(&bytes, &g->text_room, g->text_size + length, 1);
        g->text = bytes;
        if (!is_text_room) return false;
        memcpy(g->text + g->text_size, text, length);
    }
    g->entries[g->n++] = (entry){score, number, g->text_size, length};
    g->text_size += length;
    return true;
}

static const char differ[] = NAME ": epsilon, sensitivity and id must be the same in all rows of a group";
static const char other_key[] = NAME ": the key has changed while rows arrived";

static bool is_same_id(simdp_id a, simdp_id b) { return a.low == b.low && a.high == b.high; }

/* Notes what a row (or a state) asks for; a message if it is not what was asked before. */
static const char *want(group *g, double epsilon, double sensitivity, simdp_id id, simdp_id key_name)
{
    if (!g->has_wanted) {
        g->wanted.epsilon = epsilon;
        g->wanted.sensitivity = sensitivity;
        g->wanted.id = id;
        g->wanted.key_name = key_name;
        g->has_wanted = true;
        return NULL;
    }
    const bool is_same = g->wanted.epsilon == epsilon && g->wanted.sensitivity == sensitivity;
    if (!is_same_id(g->wanted.key_name, key_name)) return other_key;
    return is_same && is_same_id(g->wanted.id, id) ? NULL : differ;
}

static idx_t state_size(duckdb_function_info info)
{
    (void)info;
    return sizeof(state);
}

static void state_init(duckdb_function_info info, duckdb_aggregate_state memory)
{
    (void)info;
    ((state *)memory)->rows = NULL;
}

static void state_destroy(duckdb_aggregate_state *states, idx_t n)
{
    for (idx_t i = 0; i < n; i++) {
        state *s = (state *)states[i];
        if (s->rows == NULL) continue;
        free(s->rows->entries);
        free(s->rows->text);
        free(s->rows);
        s->rows = NULL;
    }
}

static group *group_of(state *s)
{
    if (s->rows == NULL) s->rows = calloc(1, sizeof *s->rows);
    return s->rows;
}

/* The scale of the choice; NaN where a parameter is out of range. More noise than asked for keeps the promise. */
static double scale_of(double epsilon, double sensitivity)
{
    if (!(epsilon > 0 && epsilon <= DBL_MAX && sensitivity > 0 && sensitivity <= DBL_MAX)) return NAN;
    const double scale = fmax(simdp_select_scale(epsilon, sensitivity, 0), SIMDP_NOISE_SCALE_MIN);
    return scale <= SIMDP_NOISE_SCALE_MAX ? scale : NAN;
}

/* ---- rows arrive -------------------------------------------------------------------------------------------------- */

typedef struct {
    column candidate, score, epsilon, sensitivity, id;
    bool is_text;
    simdp_id key_name;
} choose_view;

static const char *add_row(group *g, const choose_view *view, idx_t row, simdp_id id)
{
    if (g == NULL) return simdp_status_text(SIMDP_ENOMEMORY);
    if (!column_is_valid(view->epsilon, row) || !column_is_valid(view->sensitivity, row) ||
        !column_is_valid(view->id, row)) {
        g->is_null = true;
        return NULL;
    }
    const double epsilon = ((const double *)view->epsilon.data)[row];
    const double sensitivity = ((const double *)view->sensitivity.data)[row];
    if (isnan(scale_of(epsilon, sensitivity))) return "";
    const char *fault = want(g, epsilon, sensitivity, id, view->key_name);
    if (fault != NULL || !column_is_valid(view->candidate, row) || !column_is_valid(view->score, row)) return fault;
    const double score = ((const double *)view->score.data)[row];
    bool is_added;
    if (view->is_text) {
        duckdb_string_t text = ((const duckdb_string_t *)view->candidate.data)[row];
        is_added = add_entry(g, score, 0, duckdb_string_t_data(&text), duckdb_string_t_length(text));
    } else {
        is_added = add_entry(g, score, ((const int64_t *)view->candidate.data)[row], NULL, 0);
    }
    return is_added ? NULL : simdp_status_text(SIMDP_ENOMEMORY);
}

static const char *add_rows(const choose_function *function, duckdb_data_chunk chunk, duckdb_aggregate_state *states)
{
    const size_t rows = duckdb_data_chunk_get_size(chunk);
    choose_view view = {.candidate = column_of(chunk, 0),
                        .score = column_of(chunk, 1),
                        .epsilon = column_of(chunk, 2),
                        .sensitivity = column_of(chunk, 3),
                        .is_text = function->is_text};
    thread_work *work = thread_work_get();
    if (work == NULL) return simdp_status_text(SIMDP_ENOMEMORY);
    if (function->with_id) {
        view.id = column_of(chunk, 4);
        view.key_name = function->db->key_name;
    }
    for (size_t first = 0; first < rows; first += BLOCK_ROWS) {
        const size_t n = rows - first < BLOCK_ROWS ? rows - first : BLOCK_ROWS;
        if (function->with_id) {
            const duckdb_vector names = duckdb_data_chunk_get_vector(chunk, 4);
            const simdp_status status = ids_of_column(&function->db->stream, work, names, function->id_type, first, n);
            if (status != SIMDP_OK) return simdp_status_text(status);
        }
        for (size_t i = 0; i < n; i++) {
            const simdp_id id = function->with_id ? work->ids[i] : (simdp_id){0, 0};
            const char *fault = add_row(group_of((state *)states[first + i]), &view, first + i, id);
            if (fault != NULL) return fault;
        }
    }
    return NULL;
}

static void update(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_aggregate_state *states)
{
    const choose_function *function = duckdb_aggregate_function_get_extra_info(info);
    char message[MESSAGE_SIZE];
    if (!database_enter(function->db, function->with_id, NAME, message)) {
        duckdb_aggregate_function_set_error(info, message);
        return;
    }
    const char *fault = add_rows(function, chunk, states);
    database_leave(function->db);
    if (fault != NULL && *fault == 0) status_message(message, NAME, SIMDP_EPARAM, RANGES), fault = message;
    if (fault != NULL) duckdb_aggregate_function_set_error(info, fault);
}

/* A source may be asked for again (windows do so): it stays as it is. */
static const char *add_group(state *target, const group *source)
{
    if (source == NULL) return NULL;
    group *g = group_of(target);
    if (g == NULL) return simdp_status_text(SIMDP_ENOMEMORY);
    g->is_null |= source->is_null;
    const char *fault = NULL;
    if (source->has_wanted)
        fault = want(g, source->wanted.epsilon, source->wanted.sensitivity, source->wanted.id, source->wanted.key_name);
    for (size_t i = 0; i < source->n && fault == NULL; i++) {
        const entry *e = &source->entries[i];
        const char *text = e->length > 0 ? source->text + e->place : NULL;
        if (!add_entry(g, e->score, e->number, text, e->length)) fault = simdp_status_text(SIMDP_ENOMEMORY);
    }
    return fault;
}

static void combine(duckdb_function_info info, duckdb_aggregate_state *sources, duckdb_aggregate_state *targets,
                    idx_t n)
{
    for (idx_t i = 0; i < n; i++) {
        const char *fault = add_group((state *)targets[i], ((const state *)sources[i])->rows);
        if (fault == NULL) continue;
        duckdb_aggregate_function_set_error(info, fault);
        return;
    }
}

/* ---- the choice --------------------------------------------------------------------------------------------------- */

/* A row with its text at hand, to be sorted. */
typedef struct {
    double score;
    int64_t number;
    const char *text;
    size_t length;
} candidate;

static int sign_of(bool is_more, bool is_less) { return (int)is_more - (int)is_less; }

/* By number, text and score; scores by their bits, which orders NaN, too. */
static int compare(const void *first, const void *second)
{
    const candidate *a = first, *b = second;
    if (a->number != b->number) return sign_of(a->number > b->number, a->number < b->number);
    const size_t common = a->length < b->length ? a->length : b->length;
    const int order = common > 0 ? memcmp(a->text, b->text, common) : 0;
    if (order != 0) return order;
    if (a->length != b->length) return sign_of(a->length > b->length, a->length < b->length);
    uint64_t bits_a, bits_b;
    memcpy(&bits_a, &a->score, sizeof bits_a);
    memcpy(&bits_b, &b->score, sizeof bits_b);
    return sign_of(bits_a > bits_b, bits_a < bits_b);
}

static simdp_status winner_of(const choose_function *function, const group *g, candidate *sorted, double *scores,
                              size_t *index)
{
    const double scale = scale_of(g->wanted.epsilon, g->wanted.sensitivity);
    for (size_t i = 0; i < g->n; i++) {
        const entry *e = &g->entries[i];
        sorted[i] = (candidate){e->score, e->number, e->length > 0 ? g->text + e->place : "", e->length};
    }
    qsort(sorted, g->n, sizeof *sorted, compare);
    for (size_t i = 0; i < g->n; i++) scores[i] = sorted[i].score;
    if (function->with_id)
        return simdp_select_gumbel_rows_by_id(&function->db->stream, index, scores, &g->wanted.id, 1, g->n, scale);
    thread_work *work = thread_work_get();
    simdp_rng *rng;
    if (work == NULL) return SIMDP_ENOMEMORY;
    const simdp_status status = thread_entropy(work, &rng);
    return status != SIMDP_OK ? status : simdp_select_gumbel(rng, index, scores, g->n, scale);
}

static simdp_status answer(const choose_function *function, const group *g, duckdb_vector out, idx_t row)
{
    size_t index = SIZE_MAX;
    candidate *sorted = malloc(g->n * sizeof *sorted);
    double *scores = malloc(g->n * sizeof *scores);
    simdp_status status = SIMDP_ENOMEMORY;
    if (sorted != NULL && scores != NULL) status = winner_of(function, g, sorted, scores, &index);
    if (status == SIMDP_OK) {
        if (function->is_text)
            duckdb_vector_assign_string_element_len(out, row, sorted[index].text, sorted[index].length);
        else ((int64_t *)duckdb_vector_get_data(out))[row] = sorted[index].number;
    }
    free(sorted);
    free(scores);
    return status;
}

static void finalize(duckdb_function_info info, duckdb_aggregate_state *states, duckdb_vector out, idx_t n,
                     idx_t offset)
{
    const choose_function *function = duckdb_aggregate_function_get_extra_info(info);
    char message[MESSAGE_SIZE];
    if (!database_enter(function->db, function->with_id, NAME, message)) {
        duckdb_aggregate_function_set_error(info, message);
        return;
    }
    simdp_status status = SIMDP_OK;
    const char *fault = NULL;
    for (idx_t i = 0; i < n && status == SIMDP_OK && fault == NULL; i++) {
        const group *g = ((const state *)states[i])->rows;
        const bool is_keyed = function->with_id && g != NULL && g->has_wanted;
        if (g == NULL || g->n == 0 || g->is_null) {
            duckdb_vector_ensure_validity_writable(out);
            duckdb_validity_set_row_invalid(duckdb_vector_get_validity(out), offset + i);
        } else if (is_keyed && !is_same_id(g->wanted.key_name, function->db->key_name)) {
            fault = other_key;
        } else {
            status = answer(function, g, out, offset + i);
        }
    }
    database_leave(function->db);
    if (status != SIMDP_OK) status_message(message, NAME, status, RANGES), fault = message;
    if (fault != NULL) duckdb_aggregate_function_set_error(info, fault);
}

/* ---- registration ------------------------------------------------------------------------------------------------- */

static void choose_function_destroy(void *memory)
{
    choose_function *function = memory;
    database_release(function->db);
    free(function);
}

static void add_parameter(duckdb_aggregate_function function, duckdb_type type)
{
    duckdb_logical_type logical = duckdb_create_logical_type(type);
    duckdb_aggregate_function_add_parameter(function, logical);
    duckdb_destroy_logical_type(&logical);
}

static bool add_overload(duckdb_aggregate_function_set set, database *db, duckdb_type candidates,
                         const duckdb_type *id_type)
{
    choose_function *own = malloc(sizeof *own);
    if (own == NULL) return false;
    *own = (choose_function){db, candidates == DUCKDB_TYPE_VARCHAR, id_type != NULL,
                             id_type != NULL ? *id_type : DUCKDB_TYPE_INVALID};
    database_keep(db);
    duckdb_aggregate_function function = duckdb_create_aggregate_function();
    duckdb_logical_type out = duckdb_create_logical_type(candidates);
    duckdb_aggregate_function_set_name(function, NAME);
    add_parameter(function, candidates);
    for (int p = 0; p < 3; p++) add_parameter(function, DUCKDB_TYPE_DOUBLE);
    if (id_type != NULL) add_parameter(function, *id_type);
    duckdb_aggregate_function_set_return_type(function, out);
    duckdb_aggregate_function_set_special_handling(function);
    duckdb_aggregate_function_set_functions(function, state_size, state_init, update, combine, finalize);
    duckdb_aggregate_function_set_destructor(function, state_destroy);
    duckdb_aggregate_function_set_extra_info(function, own, choose_function_destroy);
    const bool is_good = duckdb_add_aggregate_function_to_set(set, function) == DuckDBSuccess;
    duckdb_destroy_logical_type(&out);
    duckdb_destroy_aggregate_function(&function);
    return is_good;
}

bool register_choose(duckdb_connection connection, database *db)
{
    static const duckdb_type candidates[] = {DUCKDB_TYPE_BIGINT, DUCKDB_TYPE_VARCHAR};
    duckdb_aggregate_function_set set = duckdb_create_aggregate_function_set(NAME);
    bool is_good = true;
    for (int c = 0; c < 2; c++) {
        is_good = is_good && add_overload(set, db, candidates[c], NULL);
        for (int t = 0; t < ID_TYPES; t++) is_good = is_good && add_overload(set, db, candidates[c], &id_types[t]);
    }
    is_good = is_good && duckdb_register_aggregate_function_set(connection, set) == DuckDBSuccess;
    duckdb_destroy_aggregate_function_set(&set);
    return is_good;
}
