/* simdp: the library for a shell. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "options.h"

static const char help[] =
    "usage: simdp COMMAND [OPTIONS]\n"
    "\n"
    "  info                 version, instruction sets, what runs\n"
    "  words                random 64-bit words\n"
    "  noise LAW            deviates; LAW is laplace, gaussian, gumbel, exponential or uniform, with _f32 for floats\n"
    "         --scale B     scale of the law (1; not for uniform)\n"
    "  release MECHANISM    answers on standard input, one a line, made safe to publish; laplace or gaussian\n"
    "         --scale B     scale or sigma      --grid G      a power of two (about scale / 2^22)\n"
    "  select               scores on standard input: the index that the exponential mechanism chooses\n"
    "         --scale B, or --epsilon E --sensitivity S (1) --monotonic yes|no (no)\n"
    "         --draws N     so many times       --top K       the K best of one race\n"
    "  tune                 rate by batch size of every sampler, and the smallest batch with 95 % of the best rate\n"
    "         --sampler LAW --seconds S (0.01 a try)  --output FILE.json  --isa NAME\n"
    "         --replay FILE the choice for a recorded curve (lines: batch rate)\n"
    "  audit MECHANISM      outputs drawn and their losses counted: delta by experiment beside its closed form\n"
    "    laplace, gaussian  --scale B (1) --x0 X (0) --x1 X (1)\n"
    "    selection          --scores0 S,S,... --scores1 S,S,... --scale B (1)\n"
    "    rr                 randomized response: --epsilon0 E (1)\n"
    "         --epsilon E,E,... --samples N (1e7) --false-alarm P (1e-9, of the whole audit) --threads N (all cores)\n"
    "                       exit 1 if a closed form lies outside its interval; broken noise, which must be found:\n"
    "         --scale-used B, --epsilon0-used E   draw with another parameter than the one audited\n"
    "         --cut T       laplace, gaussian: noise ends at T scales\n"
    "  account COMMAND      composition, calibration, bounds (rounded to the safe side); prints names and values\n"
    "    compose            every bound:  --epsilon E [--delta D] -k K --total-delta D\n"
    "    optimal            the exact worst case:  --epsilon E [--delta D] -k K  and  --total-delta D or\n"
    "                       --total-epsilon E\n"
    "    gaussian           two of --epsilon E, --delta D, --sigma S give the third  [--sensitivity X] [-k K]\n"
    "    laplace            --epsilon E [--delta D] gives the scale; --scale B with one of them the other\n"
    "                       [--sensitivity X] [-k K]\n"
    "    rr                 randomized response: --epsilon0 E with --epsilon E or --delta D gives the other;\n"
    "                       --epsilon E [--delta D] gives epsilon0  [--leak L]\n"
    "    zcdp               --rho R --delta D\n"
    "    renyi              best order:  --mechanism laplace|gaussian|rr|zcdp --parameter X [-k K] --delta D\n"
    "    typical            typical stability:  --eta E [--tau T] --nu N --slack S -k K\n"
    "    pld MECHANISM...   a sequence, from the law of its loss: a bracket around the exact answer\n"
    "                       laplace:T gaussian:S rr:E[,LEAK] discrete_laplace:B[,D] discrete_gaussian:S[,D], each\n"
    "                       [xTIMES];  --delta D,D,... or --epsilon E,E,... [--least DELTA (1e-12)]\n"
    "                       [--grid H (1e-4; less if that divides the losses)] [--rounding dots|plain]\n"
    "  help                 this text\n"
    "\n"
    "words and noise write raw little-endian numbers to standard output, without end or:\n"
    "         --count N     so many\n"
    "         --format F    raw or text\n"
    "words, noise, release, select and audit take:\n"
    "         --key HEX     64 digits: a reproducible stream; without it, operating-system entropy\n"
    "         --stream N    stream id (0)       --position P  first word (0)\n"
    "         --isa NAME    scalar, avx2, avx2_aesni, avx2_vaes, avx512\n";

static int command_help(int argc, char **argv)
{
    (void)argc, (void)argv;
    fputs(help, stdout);
    return 0;
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"info", command_info}, {"words", command_words}, {"noise", command_noise}, {"release", command_release},
    {"select", command_select}, {"tune", command_tune},
    {"audit", command_audit},
    {"account", command_account}, {"help", command_help}, {"--help", command_help},
};

int main(int argc, char **argv)
{
    if (argc < 2) usage_error("a command is missing");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) return commands[i].run(argc - 2, argv + 2);
    }
    usage_error("unknown command '%s'", argv[1]);
}
