/* test_state_machine: every object of the API through thousands of random sequences of legal and illegal calls, with a
 * model beside it (machine.h). With a number as argument: that sequence alone, of every machine. */
#include "machine.h"

static uint64_t only = UINT64_MAX;

static void run(void (*machine)(uint64_t sequence), uint64_t sequences)
{
    if (is_full()) sequences *= 10;
    if (is_short()) sequences = sequences / 10 + 1;
    for (uint64_t i = 0; i < sequences; i++) {
        if (only == UINT64_MAX || only == i) machine(i);
    }
    must(simdp_isa_select(NULL));
}

#define MACHINE(name, sequences)           \
    static void drive_##name(void **state) \
    {                                      \
        (void)state;                       \
        run(machine_##name, sequences);    \
    }
MACHINE(stream, 2000)
MACHINE(workspace, 2000)
MACHINE(statistics, 3000)
MACHINE(audit, 1000)
MACHINE(filter, 3000)
MACHINE(interaction, 3000)
MACHINE(distribution, 3000)

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drive_stream),       cmocka_unit_test(drive_workspace), cmocka_unit_test(drive_statistics),
        cmocka_unit_test(drive_audit),        cmocka_unit_test(drive_filter),    cmocka_unit_test(drive_interaction),
        cmocka_unit_test(drive_distribution),
    };
    if (count > 1) only = strtoull(arguments[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
