/* peers_table.h: which peers the rows of a kernel are compared with. */
#ifndef SIMDP_PEERS_TABLE_H
#define SIMDP_PEERS_TABLE_H

#include "suite/bench.h"

/* The peers of a line of the list; those without any have an empty entry. Ends the program if the table has an entry
 * for a row that does not exist. */
const bench_peers *peers_of(const kernel_line *line);

#endif
