/* kernel_list.c: the lines of all rooms, one after the other. */
#include "kernel_list.h"

#include <stdio.h>
#include <string.h>

static const kernel_line *const rooms[] = {kernels_of_noise, kernels_of_release, kernels_of_select, kernels_of_loss,
                                           kernels_of_theory};

const kernel_line *kernel_at(size_t i)
{
    for (size_t room = 0; room < sizeof rooms / sizeof *rooms; room++) {
        for (const kernel_line *k = rooms[room]; k->name != NULL; k++) {
            if (i-- == 0) return k;
        }
    }
    return NULL;
}

const kernel_line *kernel_drawing_at(size_t i)
{
    const kernel_line *k;
    for (size_t line = 0; (k = kernel_at(line)) != NULL; line++) {
        if (k->kind != KERNEL_DATA && k->variant == NULL && !k->by_id && i-- == 0) return k;
    }
    return NULL;
}

size_t kernel_drawing_count(void)
{
    size_t count = 0;
    while (kernel_drawing_at(count) != NULL) count++;
    return count;
}

static bool is_named(const kernel_line *k, const char *name)
{
    const size_t length = strlen(k->name);
    if (strncmp(k->name, name, length) != 0) return false;
    return name[length] == '\0' || (k->form != NULL && name[length] == '.' && strcmp(name + length + 1, k->form) == 0);
}

const kernel_line *kernel_named(const char *name)
{
    for (size_t room = 0; room < sizeof rooms / sizeof *rooms; room++) {
        for (const kernel_line *k = rooms[room]; k->name != NULL; k++) {
            if (k->variant == NULL && is_named(k, name)) return k;
        }
    }
    return NULL;
}

const simdp_id *kernel_ids(size_t n)
{
    static simdp_id ids[KERNEL_IDS_MOST];
    static size_t made;
    if (n > KERNEL_IDS_MOST) return NULL;
    for (; made < n; made++) ids[made] = (simdp_id){0x9e3779b97f4a7c15 * (made + 1), made / 3};
    return ids;
}

size_t kernel_out_bytes(const kernel_line *k, size_t n)
{
    static const size_t bytes[] = {[OUT_F64] = 8,   [OUT_F32] = 4,   [OUT_I64] = 8,   [OUT_WORDS] = 8,
                                   [OUT_BYTES] = 1, [OUT_FLAGS] = 1, [OUT_STEPS] = 8, [OUT_INDEX] = sizeof(size_t)};
    if (k->winners > 0) n = k->winners;
    if (k->out == OUT_ROWS) return KERNEL_AUDIT_ROWS * sizeof(simdp_loss_audit_row);
    if (k->out == OUT_STEPS && n > KERNEL_STEPS_MOST) n = KERNEL_STEPS_MOST;
    return k->out == OUT_PACKED ? (n + 7) / 8 : n * bytes[k->out];
}

/* Families whose names a contract fixes, without their room. */
static const struct {
    const char *begins, *room;
} families[] = {{"delta_", "loss"}};

void kernel_row_name(const kernel_line *k, char *text, size_t room)
{
    const char *name = k->name + strlen("simdp_"), *rest = strchr(name, '_') + 1;
    char after[100] = "";
    if (k->form != NULL) snprintf(after, sizeof after, ".%s", k->form);
    if (k->variant != NULL) snprintf(after + strlen(after), sizeof after - strlen(after), ".%s", k->variant);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (strncmp(name, families[i].begins, strlen(families[i].begins)) != 0) continue;
        snprintf(text, room, "%s/%s%s", families[i].room, name, after);
        return;
    }
    snprintf(text, room, "%.*s/%s%s", (int)(rest - 1 - name), name, rest, after);
}
