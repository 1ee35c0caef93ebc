/* simdp info: what this library is and what it finds on this CPU. */
#include <stdio.h>

#include "commands.h"
#include "dispatch/table.h"
#include "options.h"

int command_info(int argc, char **argv)
{
    const simdp_kernels *table;
    bool usable;
    if (argc > 0) usage_error("info takes no options, not '%s'", argv[0]);
    printf("simdp %s, stream version %d\n", simdp_version(), SIMDP_STREAM_VERSION);
    printf("runs: %s\n", simdp_isa_variant()[0] ? simdp_isa_variant() : "nothing, SIMDP_ISA names what is not there");
    for (size_t i = 0; (table = simdp_kernels_row(i, &usable)) != NULL; i++)
        printf("  %-11s %s\n", table->variant, usable ? "usable" : "not on this CPU");
    return 0;
}
