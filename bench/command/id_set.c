#include "id_set.h"

#include <stdlib.h>

#include "options.h"

/* Ids are outputs of a cipher: their bits are their own hash. */
static simdp_id *slot_of(const id_set *set, simdp_id id)
{
    size_t at = (size_t)id.low & (set->room - 1);
    for (;; at = (at + 1) & (set->room - 1)) {
        simdp_id *slot = &set->slots[at];
        if ((slot->low == 0 && slot->high == 0) || (slot->low == id.low && slot->high == id.high)) return slot;
    }
}

static void grow(id_set *set)
{
    const id_set old = *set;
    set->room = old.room == 0 ? 1024 : 2 * old.room;
    set->slots = calloc(set->room, sizeof *set->slots);
    if (set->slots == NULL) failure("no memory for %zu identities", set->room / 2);
    for (size_t i = 0; i < old.room; i++) {
        const simdp_id id = old.slots[i];
        if (id.low != 0 || id.high != 0) *slot_of(set, id) = id;
    }
    free(old.slots);
}

bool id_set_add(id_set *set, simdp_id id)
{
    if (id.low == 0 && id.high == 0) {
        const bool is_new = !set->has_zero;
        set->has_zero = true;
        return is_new;
    }
    if (2 * set->count >= set->room) grow(set);
    simdp_id *slot = slot_of(set, id);
    if (slot->low != 0 || slot->high != 0) return false;
    *slot = id;
    set->count++;
    return true;
}
