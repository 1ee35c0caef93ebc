#define _POSIX_C_SOURCE 200809L
#include "stream_options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { KEY_BYTES = 32, KEY_DIGITS = 2 * KEY_BYTES };

bool stream_is_fixed(const option *first)
{
    return first[STREAM_KEY].value != NULL || first[STREAM_KEY_FILE].value != NULL;
}

static void read_digits(uint8_t key[KEY_BYTES], const char *name, const char *text)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    for (int i = 0; i < KEY_DIGITS; i++) {
        const char *digit = text[i] == '\0' ? NULL : strchr(digits, text[i]);
        if (digit == NULL) usage_error("%s: a key is %d hexadecimal digits", name, KEY_DIGITS);
        const int nibble = (int)(digit - digits) % 16;
        key[i / 2] = (uint8_t)(i % 2 == 0 ? nibble << 4 : key[i / 2] | nibble);
    }
}

static void read_key(uint8_t key[KEY_BYTES], const option *o)
{
    if (strlen(o->value) != KEY_DIGITS)
        usage_error("%s needs %d hexadecimal digits, not %zu", o->name, KEY_DIGITS, strlen(o->value));
    read_digits(key, o->name, o->value);
}

/* 64 digits with or without a line end, or 32 bytes. */
static void read_key_file(uint8_t key[KEY_BYTES], const option *o)
{
    char text[KEY_DIGITS + 3];
    struct stat about;
    FILE *file = fopen(o->value, "rb");
    if (file == NULL) usage_error("%s %s: %s", o->name, o->value, strerror(errno));
    setvbuf(file, NULL, _IONBF, 0); /* no copy of the key is left behind */
    size_t length = fread(text, 1, sizeof text, file);
    if (ferror(file)) usage_error("%s %s: cannot be read", o->name, o->value);
    if (fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode) && (about.st_mode & (S_IRGRP | S_IROTH)) != 0)
        warning("%s: other users can read this key (chmod 600)", o->value);
    fclose(file);
    if (length == KEY_BYTES) {
        memcpy(key, text, KEY_BYTES);
    } else {
        if (length > 0 && text[length - 1] == '\n') length--;
        if (length > 0 && text[length - 1] == '\r') length--;
        if (length != KEY_DIGITS)
            usage_error("%s %s: needs %d hexadecimal digits, or %d bytes", o->name, o->value, KEY_DIGITS, KEY_BYTES);
        read_digits(key, o->value, text);
    }
    memset(text, 0, sizeof text);
}

static simdp_status open_fixed(simdp_rng *rng, const option *first)
{
    uint8_t key[KEY_BYTES];
    if (first[STREAM_KEY].value != NULL) read_key(key, &first[STREAM_KEY]);
    else read_key_file(key, &first[STREAM_KEY_FILE]);
    simdp_status status = simdp_rng_init_deterministic(rng, key, option_count(&first[STREAM_ID], 0));
    if (status == SIMDP_OK) status = simdp_rng_seek(rng, option_count(&first[STREAM_POSITION], 0));
    memset(key, 0, sizeof key);
    return status;
}

void stream_open(simdp_rng *rng, const option *first, stream_purpose purpose)
{
    simdp_status status;
    const option *isa = &first[STREAM_ISA];
    if (isa->value != NULL && simdp_isa_select(isa->value) != SIMDP_OK)
        usage_error("%s %s: %s", isa->name, isa->value, simdp_status_text(SIMDP_EISA));
    if (first[STREAM_KEY].value != NULL && first[STREAM_KEY_FILE].value != NULL)
        usage_error("--key and --key-file exclude each other");
    if (stream_is_fixed(first)) {
        if (purpose != STREAM_FOR_TESTS && first[STREAM_KEY].value != NULL)
            warning("a key on the command line is visible to every user of this machine: use --key-file");
        if (purpose == STREAM_FOR_RELEASES)
            warning("with a fixed key, whoever has it can subtract the noise, and the same key and position give the "
                    "same noise again");
        status = open_fixed(rng, first);
    } else {
        if (first[STREAM_ID].value != NULL || first[STREAM_POSITION].value != NULL)
            usage_error("--stream and --position need a --key-file or --key");
        status = simdp_rng_init(rng);
    }
    if (status != SIMDP_OK) failure("%s", simdp_status_text(status));
}
