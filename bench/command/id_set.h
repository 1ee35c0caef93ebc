/* id_set.h: identities that were seen, to refuse one that comes twice: two answers with the same noise give their
 * difference away. The set grows with the number of ids, 32 to 64 bytes for each. */
#ifndef SIMDP_ID_SET_H
#define SIMDP_ID_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "simdp/simdp.h"

typedef struct {
    simdp_id *slots; /* {0, 0} is an empty one */
    size_t room, count;
    bool has_zero;
} id_set;

/* False if it is there already. */
bool id_set_add(id_set *set, simdp_id id);

#endif
