/* commands.c: the table of all commands, and so the text of all help. */
#include "commands.h"

#include <stddef.h>

#define STREAM_OPTIONS                                                                                     \
    "  --key-file FILE    64 hexadecimal digits or 32 bytes: a reproducible stream, whose noise whoever\n" \
    "                     has the key can subtract; without it, operating-system entropy\n"                \
    "  --key HEX          the same on the command line, which every user of the machine can see\n"         \
    "  --stream N         stream id (0)\n"                                                                 \
    "  --position P       first element (0)\n"                                                             \
    "  --isa NAME         scalar, avx2, avx2_aesni, avx2_vaes, avx512\n"
#define OUTPUT_OPTIONS                                                                                        \
    "  --output FILE      (standard output); it appears under its name when it is whole\n"                    \
    "  --format F         text, csv, npy, raw (little-endian numbers) or json; a file's ending says it too\n" \
    "  --json             --format json\n"                                                                    \
    "  --force            raw bytes even to a terminal\n"
#define INPUT_OPTIONS                                                                                            \
    "  --input FILE       (standard input)\n"                                                                    \
    "  --input-format F   text (one number a line, the default), csv, npy or raw; a file's ending says it too\n" \
    "  --column NAME      of a CSV file with a header: its numbers; other columns pass through\n"
#define COUNT_OPTION "  --count N          so many (1e9 is a number); without it, without end\n"

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
    {"words", "[OPTIONS]", "random 64-bit words", COUNT_OPTION OUTPUT_OPTIONS STREAM_OPTIONS,
     "simdp words --count 1000 | od -An -tx8 | head -n 3", command_words, NULL},
    {"noise", "LAW [OPTIONS]", "deviates of a law, which are no private release",
     "  --scale B          scale of the law (1; not for uniform); 0 makes every number 0\n" COUNT_OPTION OUTPUT_OPTIONS
         STREAM_OPTIONS "Raw numbers are the default; a law without its type is that of doubles.\n",
     "simdp noise laplace --scale 2 --count 5 --format text", command_noise, NULL},
    {"release", "MECHANISM (--epsilon E --sensitivity S [--delta D] | --scale B) [OPTIONS]",
     "answers made safe to publish",
     "  --epsilon E        what is promised, in nats\n"
     "  --sensitivity S    how far one person moves the answers: L1, for Gaussian noise L2\n"
     "  --delta D          for Gaussian noise\n"
     "  --scale B          or the scale or sigma itself; 0 publishes the answers, on the grid\n"
     "  --grid G           a power of two (about scale / 2^22)\n"
     "  --values K         k-response: how many values there are; an answer from K on counts as 0\n"
     "  --threshold-delta D  counts with a threshold: how likely groups of one person are shown, who is counted once\n"
     "                     in each of --groups K (1) at most; adds to the promise. Or --threshold T itself. Of a CSV\n"
     "                     file hidden groups do not come out; elsewhere they are nan\n"
     "  --id-column NAME   of a CSV file: noise belongs to what stands there, not to the place of the row, so that\n"
     "                     order and retries change nothing; needs a key\n" INPUT_OPTIONS OUTPUT_OPTIONS STREAM_OPTIONS
     "Results have the format of the answers unless told. Blank lines, two numbers on a line and NUL bytes are\n"
     "errors; text and CSV are checked to the end before anything is written.\n",
     "printf '17\\n4.5\\n1e6\\n' | simdp release laplace --epsilon 0.5 --sensitivity 1", command_release, NULL},
    {"select", "[WAY] (--scale B | --epsilon E) [OPTIONS]", "which of many scores wins, which groups may be shown",
     "  --scale B          of the noise; 0: the largest score wins; or:\n"
     "  --epsilon E        of one winner, with --sensitivity S (1) and --monotonic yes|no (no)\n"
     "  --draws N          so many times (1), which costs N times epsilon\n"
     "  --top K            the K best of one race (gumbel), which costs K times epsilon\n"
     "  --delta D          partitions: with --epsilon E, and --groups K (1), how many groups a person is in at most\n"
     "  --candidates N     rows: so many scores make a row, which has a winner of its own\n"
     "  --id-column NAME   partitions, rows: choices belong to the names of groups or rows, and not to their place;\n"
     "                     needs a key\n"
     "  --threshold T      above-threshold: with --epsilon E, --sensitivity S and --reports N (1)\n" INPUT_OPTIONS
         OUTPUT_OPTIONS STREAM_OPTIONS
     "Winners are numbers, from 0. Of a CSV file the groups that may be shown and the winners of rows come out,\n"
     "with 1 for their counts and scores.\n",
     "printf '3\\n1\\n4\\n1\\n5\\n' | simdp select --epsilon 1 --draws 3", command_select, NULL},
    {"tune", "[OPTIONS]", "which batch size to use on this machine: rate by batch size of every kernel",
     "  --kernel K,...     only these, as 'simdp tune --list' or 'simdp noise' call them: laplace, noise/laplace_f64\n"
     "  --type T           only f64, f32, i64, u32, words, bytes or bits\n"
     "  --threads N        so many at a time (1; at the batch of choice also all cores)\n"
     "  --batch B          the batch you have now, to be compared with\n"
     "  --budget SECONDS   for all kernels (1.5 each, at most 30)\n"
     "  --output FILE      the curves and choices as JSON\n"
     "  --header FILE      the choices as a C header: #define SIMDP_TUNED_NOISE_LAPLACE_F64_BATCH 256\n"
     "  --isa NAME         scalar, avx2, avx2_aesni, avx2_vaes, avx512\n"
     "  --list             names of kernels\n"
     "  --replay FILE      the choice for a recorded curve (lines: batch rate)\n"
     "The batch of choice is the smallest with 95 % of the best rate; samples of all batches and kernels are\n"
     "interleaved, and the median of each counts. Streams are those of operating-system entropy.\n",
     "simdp tune --kernel laplace --budget 0.05", command_tune, NULL},
    {"audit", "MECHANISM --epsilon E,E,... [OPTIONS]",
     "delta of released bytes by experiment beside its closed form; exit 1 if they disagree",
     "  laplace, gaussian  --scale B (1) --x0 X (0) --x1 X (1)\n"
     "  laplace-i64, gaussian-i64, discrete-laplace, discrete-gaussian   of integers: the same, --scale up to 1000\n"
     "  selection          --scores0 S,S,... --scores1 S,S,... --scale B (1)\n"
     "  rr                 randomized response: --epsilon0 E (1)\n"
     "  k-response         --epsilon0 E (1) --values K (16)\n"
     "  unary              one-hot bits, optimised: --epsilon0 E (1)\n"
     "  partitions         a group of --people N (5) and without one: --epsilon0 E (1) --delta D (1e-3)\n"
     "  laplace-threshold, gaussian-threshold   counts of such a group, hidden or shown: --scale B (1) --delta D\n"
     "  above-threshold    queries --scores0 Q,... --scores1 Q,...: --threshold T (0) --scale B (1), of the\n"
     "                     threshold's noise, --scale-query B (2)\n"
     "  --by-id            laplace, gaussian, both -i64, selection, rr, partitions: noise by identity; needs a key\n"
     "  --samples N        outputs for each input (1e7)\n"
     "  --false-alarm P    of the whole audit (1e-9)\n"
     "  --threads N        (all cores)\n"
     "  broken noise, which must be found:\n"
     "  --scale-used B, --epsilon0-used E   draw with another parameter than the one audited\n"
     "  --cut T            laplace, gaussian: noise ends at T scales\n" STREAM_OPTIONS,
     "simdp audit laplace --samples 1e5 --epsilon 0.25,0.5,0.9", command_audit, NULL},
    {"account", "COMMAND [OPTIONS]", "composition, calibration, bounds, rounded to the safe side", "",
     "simdp account gaussian --sigma 5 --delta 1e-6 -k 20", NULL, account_commands},
    {"completion", "bash", "completion of command lines, for a shell",
     "  Source it in ~/.bashrc, or put it where bash looks, as an installation does.\n", "simdp completion bash",
     command_completion, NULL},
    {"help", "[COMMAND]", "the list of commands, or how to use one; simdp COMMAND --help does the same", "",
     "simdp help account pld", command_help, NULL},
    {0},
};

word_function *command_words_of(const command *c)
{
    static const struct {
        int (*run)(int argc, char **argv);
        word_function *word;
    } tables[] = {{command_release, release_word}, {command_select, select_word}, {command_noise, noise_word}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (c->run == tables[i].run) return tables[i].word;
    }
    return NULL;
}
