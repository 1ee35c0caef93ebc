/* fuzz_forms: every closed form with any arguments. A call says SIMDP_EPARAM exactly if a result is NaN (where data may
 * be NaN, so may the result); a refused scalar leaves no number; elements do not depend on their neighbours; bits are
 * those of the scalar unit. */
#include "fuzz.h"

#include <ctype.h>
#include <math.h>

#include "dispatch/table.h"
#include "forms/forms_table.h"

enum { ELEMENTS = 9, OUTPUTS = 16 };

static const form_row *row_at(size_t i)
{
    static const form_row *const lists[] = {forms_of_loss, forms_of_account, forms_of_others};
    for (size_t list = 0; list < 3; list++)
        for (const form_row *row = lists[list]; row->name != NULL; row++)
            if (i-- == 0) return row;
    return NULL;
}

static bool is_array(char letter) { return isupper((unsigned char)letter) || letter == '0' || letter == '-'; }

/* Whole numbers are small, since some forms take as many steps; there test_forms_bounded is the judge. */
static double argument(script *s, char letter, double good)
{
    if (script_below(s, 3) != 0) return good;
    if (strchr("kmntKMNT", letter) != NULL) return (double)(int8_t)script_number(s, 1);
    return script_double(s);
}

static bool same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static double value[FORM_ARGUMENTS_MAX][FORM_ELEMENTS_MAX], out[ELEMENTS * OUTPUTS], other[ELEMENTS * OUTPUTS];
    const double *a[FORM_ARGUMENTS_MAX];
    script s = {bytes, bytes + size};
    size_t rows = 0;
    while (row_at(rows) != NULL) rows++;
    const form_row *const row = row_at(script_below(&s, rows));
    const size_t n = isupper((unsigned char)row->domains[0]) ? ELEMENTS : 1, count = n * row->outputs;
    MUST(row->outputs <= OUTPUTS, "%s", row->name);
    bool data = false; /* may be NaN */
    for (size_t j = 0; j < FORM_ARGUMENTS_MAX; j++) {
        const char letter = j < strlen(row->domains) ? row->domains[j] : '-';
        data = data || tolower(letter) == 'y' || tolower(letter) == 'a';
        for (size_t i = 0; i < n; i++)
            value[j][i] = i == 0 || is_array(letter) ? argument(&s, letter, row->good[j]) : value[j][0];
        a[j] = value[j];
    }
    for (size_t i = 0; i < ELEMENTS * OUTPUTS; i++) out[i] = other[i] = -12345;
    const simdp_status status = row->call(out, n, a);
    MUST(status == SIMDP_OK || status == SIMDP_EPARAM, "%s: status %d", row->name, (int)status);
    size_t missing = 0;
    for (size_t i = 0; i < count; i++) missing += isnan(out[i]);
    for (size_t i = count; i < ELEMENTS * OUTPUTS; i++) MUST(out[i] == -12345, "%s writes past its end", row->name);
    if (status == SIMDP_OK && !data) MUST(missing == 0, "%s: NaN without an error", row->name);
    if (status == SIMDP_EPARAM && !(row->flags & (FORM_UNTOUCHED | FORM_UPDATES)))
        MUST(missing > 0, "%s: an error, but every result is a number", row->name);
    if (row->flags & FORM_VECTORISED) {
        MUST(simdp_isa_select("scalar") == SIMDP_OK, "scalar");
        MUST(row->call(other, n, a) == status, "%s: scalar says otherwise", row->name);
        MUST(simdp_isa_select(NULL) == SIMDP_OK, "best");
        for (size_t i = 0; i < count; i++) MUST(same(out[i], other[i]), "%s: other bits than scalar's", row->name);
    }
    return 0;
}
