/* header_names.h: the functions that a public header declares, so that a test can hold its table against them. */
#ifndef SIMDP_HEADER_NAMES_H
#define SIMDP_HEADER_NAMES_H

#include "support/test_support.h"

/* Of the words that begin with `prefix` and that a parenthesis follows, outside of comments, how many is_known
 * refuses; `missing` becomes the last of them. Changes the text. */
static inline size_t header_missing(char *text, const char *prefix, bool (*is_known)(const char *name),
                                    char missing[100])
{
    size_t count = 0;
    for (char *c; (c = strstr(text, "/*")) != NULL;) {
        char *end = strstr(c, "*/");
        assert_non_null(end);
        memset(c, ' ', (size_t)(end + 2 - c));
    }
    for (char *c = text; (c = strstr(c, prefix)) != NULL;) {
        const size_t length = strspn(c, "abcdefghijklmnopqrstuvwxyz_0123456789");
        char name[100];
        snprintf(name, sizeof name, "%.*s", (int)length, c);
        if (c[length] == '(' && !is_known(name)) count++, memcpy(missing, name, sizeof name);
        c += length;
    }
    return count;
}

/* file: of include/simdp. */
static inline void header_check(const char *file, const char *prefix, bool (*is_known)(const char *name))
{
    static char text[100000];
    char path[4096], missing[100];
    snprintf(path, sizeof path, "%s/../../include/simdp/%s", KNOWN_ANSWERS, file);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    const size_t length = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    assert_in_range(length, 1000, sizeof text - 2);
    text[length] = '\0';
    if (header_missing(text, prefix, is_known, missing) != 0) fail_msg("%s: no row for %s", file, missing);
}

#endif
