/* commands.c: the table of all commands, and so the text of all help. */
#include "commands.h"

#include <stddef.h>

#define STREAM_OPTIONS                                                                              \
    "  --key HEX          64 digits: a reproducible stream; without it, operating-system entropy\n" \
    "  --stream N         stream id (0)\n"                                                          \
    "  --position P       first element (0)\n"                                                      \
    "  --isa NAME         scalar, avx2, avx2_aesni, avx2_vaes, avx512\n"
#define OUTPUT_OPTIONS                                                        \
    "  --count N          so many; without it, without end\n"                 \
    "  --format F         raw (little-endian numbers, the default) or text\n" \
    "  --force            raw bytes even to a terminal\n"

static const command account_commands[] = {
    {"compose", "--epsilon E [--delta D] -k K --total-delta D", "every bound on k steps",
     "  --epsilon, --delta of a step, -k steps (1), --total-delta the delta of all of them\n",
     "simdp account compose --epsilon 0.01 -k 1000 --total-delta 1e-6", account_compose, NULL},
    {"optimal", "--epsilon E [--delta D] -k K (--total-delta D | --total-epsilon E)", "the exact worst case of k steps",
     "  --total-delta gives epsilon, --total-epsilon gives delta\n",
     "simdp account optimal --epsilon 0.01 -k 1000 --total-delta 1e-6", account_optimal, NULL},
    {"gaussian", "two of --epsilon E, --delta D, --sigma S  [--sensitivity X] [-k K]",
     "Gaussian noise: two give the third",
     "  --sensitivity X    of the answer (1)\n"
     "  -k K               so many uses (1)\n",
     "simdp account gaussian --epsilon 1 --delta 1e-6", account_gaussian, NULL},
    {"laplace", "--epsilon E [--delta D] | --scale B (--epsilon E | --delta D)  [--sensitivity X] [-k K]",
     "Laplace noise: its scale, or what a scale gives",
     "  --sensitivity X    of the answer (1)\n"
     "  -k K               so many uses; needs --scale\n",
     "simdp account laplace --scale 10 --delta 1e-6 -k 100", account_laplace, NULL},
    {"rr", "--epsilon0 E (--epsilon E | --delta D) | --epsilon E [--delta D]  [--leak L]", "randomized response",
     "  with --epsilon0 the other of epsilon and delta, and the probabilities; without it, epsilon0\n"
     "  --leak L           probability that the answer is shown (0)\n",
     "simdp account rr --epsilon0 1 --epsilon 0.5", account_rr, NULL},
    {"zcdp", "--rho R --delta D", "zero-concentrated differential privacy", "",
     "simdp account zcdp --rho 0.5 --delta 1e-6", account_zcdp, NULL},
    {"renyi", "--mechanism M --parameter X [-k K] --delta D", "by Renyi divergences, at the best order",
     "  --mechanism M      laplace, gaussian, rr or zcdp\n",
     "simdp account renyi --mechanism gaussian --parameter 2 -k 10 --delta 1e-6", account_renyi, NULL},
    {"typical", "--eta E [--tau T] --nu N --slack S -k K", "composition of typical stability", "",
     "simdp account typical --eta 0.01 --nu 1e-30 --slack 1e-20 -k 100", account_typical, NULL},
    {"pld", "MECHANISM... (--delta D,D,... | --epsilon E,E,...)",
     "a sequence of mechanisms: a bracket around the exact answer",
     "  MECHANISM          laplace:T, gaussian:S, rr:E[,LEAK], discrete_laplace:B[,D] or discrete_gaussian:S[,D], "
     "each\n"
     "                     [xTIMES]; T is sensitivity / scale, S sigma / sensitivity, and the discrete laws have a\n"
     "                     scale or sigma and a whole sensitivity D (1); or laplace_sampled:T,Q, gaussian_sampled:S,Q\n"
     "                     (each record takes part with probability Q), bounded_range:E (exponential mechanism)\n"
     "  --least DELTA      the smallest delta that matters (1e-12)\n"
     "  --grid H           of losses (1e-4; less if that divides the losses)\n"
     "  --rounding R       dots or plain\n",
     "simdp account pld gaussian:50x1000 laplace:0.1x10 --delta 1e-6,1e-9", account_pld, NULL},
    {"sgd", "(--noise S | --epsilon E) --rate Q --steps T --delta D", "DP-SGD: its epsilon, or the noise for one",
     "  --noise S          noise multiplier: epsilon, a bracket; or:\n"
     "  --epsilon E        the smallest noise multiplier that keeps it\n"
     "  --rate Q           probability with which a record joins a batch\n"
     "  --error R          relative (1e-3)\n"
     "  --json             one object instead of lines\n",
     "simdp account sgd --noise 1.1 --rate 0.004 --steps 1000 --delta 1e-5", account_sgd, NULL},
    {0},
};

const command commands[] = {
    {"info", "", "version, instruction sets, what runs", "", "simdp info", command_info, NULL},
    {"words", "[OPTIONS]", "random 64-bit words", OUTPUT_OPTIONS STREAM_OPTIONS,
     "simdp words --count 1000 | od -An -tx8 | head -n 3", command_words, NULL},
    {"noise", "LAW [OPTIONS]", "deviates of a law",
     "  LAW                laplace, gaussian, gumbel, exponential or uniform, with _f32 for floats;\n"
     "                     discrete_laplace_i64 or discrete_gaussian_i64\n"
     "  --scale B          scale of the law (1; not for uniform)\n" OUTPUT_OPTIONS STREAM_OPTIONS,
     "simdp noise laplace --scale 2 --count 5 --format text", command_noise, NULL},
    {"release", "MECHANISM --scale B [OPTIONS]", "answers on standard input, made safe to publish",
     "  MECHANISM          laplace or gaussian; answers are numbers with blanks, commas or new lines between\n"
     "  --scale B          scale or sigma\n"
     "  --grid G           a power of two (about scale / 2^22)\n" STREAM_OPTIONS,
     "echo 17 4.5 1e6 | simdp release laplace --scale 2", command_release, NULL},
    {"select", "(--scale B | --epsilon E) [OPTIONS]",
     "scores on standard input: what the exponential mechanism chooses",
     "  --scale B          of the Gumbel noise, or:\n"
     "  --epsilon E        with --sensitivity S (1) and --monotonic yes|no (no)\n"
     "  --draws N          so many times (1)\n"
     "  --top K            the K best of one race\n" STREAM_OPTIONS,
     "echo 3 1 4 1 5 | simdp select --epsilon 1 --draws 3", command_select, NULL},
    {"tune", "[OPTIONS]", "rate by batch size, and the smallest batch with 95 % of the best rate",
     "  --sampler LAW      only this one, as for noise\n"
     "  --seconds S        for a try (0.01)\n"
     "  --output FILE      the curves as JSON\n"
     "  --isa NAME         scalar, avx2, avx2_aesni, avx2_vaes, avx512\n"
     "  --replay FILE      the choice for a recorded curve (lines: batch rate)\n",
     "simdp tune --sampler laplace --seconds 0.0001", command_tune, NULL},
    {"audit", "MECHANISM --epsilon E,E,... [OPTIONS]",
     "delta by experiment beside its closed form; exit 1 if they disagree",
     "  laplace, gaussian  --scale B (1) --x0 X (0) --x1 X (1)\n"
     "  selection          --scores0 S,S,... --scores1 S,S,... --scale B (1)\n"
     "  rr                 randomized response: --epsilon0 E (1)\n"
     "  --samples N        outputs for each input (1e7)\n"
     "  --false-alarm P    of the whole audit (1e-9)\n"
     "  --threads N        (all cores)\n"
     "  broken noise, which must be found:\n"
     "  --scale-used B, --epsilon0-used E   draw with another parameter than the one audited\n"
     "  --cut T            laplace, gaussian: noise ends at T scales\n" STREAM_OPTIONS,
     "simdp audit laplace --samples 1e5 --epsilon 0.25,0.5,0.9", command_audit, NULL},
    {"account", "COMMAND [OPTIONS]", "composition, calibration, bounds, rounded to the safe side", "",
     "simdp account gaussian --sigma 5 --delta 1e-6 -k 20", NULL, account_commands},
    {"help", "[COMMAND]", "the list of commands, or how to use one; simdp COMMAND --help does the same", "",
     "simdp help account pld", command_help, NULL},
    {0},
};
