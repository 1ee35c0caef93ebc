#include "tune_report.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* 65536 as 64k, for axes. */
static const char *short_count(double n, char text[16])
{
    if (n >= 0x1p20) snprintf(text, 16, "%.0fM", n / 0x1p20);
    else if (n >= 1024) snprintf(text, 16, "%.0fk", n / 1024);
    else snprintf(text, 16, "%.0f", n);
    return text;
}

static const char *bytes_text(double bytes, char text[32])
{
    if (bytes >= 0x1p20) snprintf(text, 32, "%.3g MiB", bytes / 0x1p20);
    else if (bytes >= 1024) snprintf(text, 32, "%.3g KiB", bytes / 1024);
    else snprintf(text, 32, "%.0f bytes", bytes);
    return text;
}

/* Four digits, without an exponent. */
static const char *rate_text(double rate, char text[32])
{
    const double million = rate / 1e6;
    snprintf(text, 32, million >= 100 ? "%.0f M/s" : million >= 1 ? "%.2f M/s" : "%.4f M/s", million);
    return text;
}

void report_words(const tune_result *r, double own_batch)
{
    const tune_choice *c = &r->choice;
    char a[32], b[32];
    const bool is_first = c->batch == r->curve.point[0].batch;
    if (is_first) printf("  any batch from %.0f on will do", c->batch);
    else printf("  use %.0f or more", c->batch);
    printf(": %s, %.0f %% of the best rate (%s at %.0f)\n", rate_text(c->rate, a), 100 * c->rate / c->best_rate,
           rate_text(c->best_rate, b), c->best_batch);
    if (c->memory_batch > 0) {
        printf("  but at most %.0f at a time", c->memory_batch);
        if (r->element_bytes > 0)
            printf(": beyond %s it falls to memory speed", bytes_text(c->memory_batch * r->element_bytes, a));
        else printf(": beyond that it falls to memory speed");
        printf(", %.0f %% of the best\n", 100 * c->memory_rate / c->best_rate);
    }
    if (r->most_threads > 0)
        printf("  %u threads, each with this batch: %.2f times one\n", r->most_threads, r->speedup);
    if (own_batch > 0) {
        const double rate = tune_rate_at(&r->curve, own_batch);
        printf("  your batch of %.0f has %.0f %% of the best rate", own_batch, 100 * rate / c->best_rate);
        if (rate < 0.95 * c->rate) printf("; %.0f would be %.2f times as fast\n", c->batch, c->rate / rate);
        else printf(", which is as good as it needs to be\n");
    }
}

void report_picture(const tune_curve *curve)
{
    enum { HEIGHT = 8, AXIS = 12 };
    char text[32];
    double most = 0;
    for (size_t i = 0; i < curve->count; i++) most = curve->point[i].rate > most ? curve->point[i].rate : most;
    for (int row = HEIGHT; row > 0; row--) {
        const bool is_marked = row == HEIGHT || row == HEIGHT / 2;
        printf("  %*s |", AXIS, is_marked ? rate_text(most * row / (double)HEIGHT, text) : "");
        for (size_t i = 0; i < curve->count; i++)
            fputs(curve->point[i].rate * (double)HEIGHT >= most * (row - 0.5) ? "  ##" : "    ", stdout);
        putchar('\n');
    }
    printf("  %*s +", AXIS, "batch");
    for (size_t i = 0; i < curve->count; i++) printf("%4s", short_count(curve->point[i].batch, text));
    putchar('\n');
}

void report_line(const tune_result *r)
{
    static const char levels[] = " .:-=+*#%@";
    char a[32], shape[TUNE_POINTS_MAX + 1];
    double most = 0;
    for (size_t i = 0; i < r->curve.count; i++) most = r->curve.point[i].rate > most ? r->curve.point[i].rate : most;
    for (size_t i = 0; i < r->curve.count; i++) shape[i] = levels[(int)(9 * r->curve.point[i].rate / most)];
    shape[r->curve.count] = '\0';
    printf("%-40s %9.0f %14s  |%s|\n", r->name, r->choice.batch, rate_text(r->choice.rate, a), shape);
}

/* ---- for programs ---- */

void report_json(output *out, const tune_result *r, bool is_first)
{
    const tune_choice *c = &r->choice;
    output_text(out,
                "%s\n    {\"name\": \"%s\", \"type\": \"%s\", \"threads\": %u, \"batch\": %.0f, \"rate\": %.6g, "
                "\"best_batch\": %.0f, \"best_rate\": %.6g, \"bytes_per_element\": %g,\n",
                is_first ? "" : ",", r->name, r->type, r->threads, c->batch, c->rate, c->best_batch, c->best_rate,
                r->element_bytes);
    if (c->memory_batch > 0)
        output_text(out, "     \"memory\": {\"from_batch\": %.0f, \"from_bytes\": %.0f, \"rate\": %.6g},\n",
                    c->memory_batch, c->memory_batch * r->element_bytes, c->memory_rate);
    else output_text(out, "     \"memory\": null,\n");
    if (r->most_threads > 0)
        output_text(out, "     \"speedup\": {\"threads\": %u, \"times\": %.4g},\n", r->most_threads, r->speedup);
    else output_text(out, "     \"speedup\": null,\n");
    output_text(out, "     \"curve\": [");
    for (size_t i = 0; i < r->curve.count; i++) {
        const tune_point *p = &r->curve.point[i];
        output_text(out, "%s[%.0f, %.6g, %.6g, %.6g]", i == 0 ? "" : ", ", p->batch, p->rate, p->low, p->high);
    }
    output_text(out, "]}");
}

void report_header_macros(output *out, const tune_result *r)
{
    char name[100];
    size_t length = 0;
    for (const char *at = r->name; *at != '\0' && length + 1 < sizeof name; at++)
        name[length++] = (char)(isalnum((unsigned char)*at) ? toupper((unsigned char)*at) : '_');
    name[length] = '\0';
    output_text(out, "#define SIMDP_TUNED_%s_BATCH %.0f\n", name, r->choice.batch);
    if (r->choice.memory_batch > 0)
        output_text(out, "#define SIMDP_TUNED_%s_BATCH_MOST %.0f\n", name, r->choice.memory_batch);
}
