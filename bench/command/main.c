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
    "  noise LAW            deviates; LAW is laplace\n"
    "         --scale B     scale of the law (1)\n"
    "  help                 this text\n"
    "\n"
    "words and noise write raw little-endian numbers of 8 bytes to standard output, without end or:\n"
    "         --count N     so many\n"
    "         --format F    raw or text\n"
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
    {"info", command_info}, {"words", command_words}, {"noise", command_noise}, {"help", command_help}, {"--help", command_help},
};

int main(int argc, char **argv)
{
    if (argc < 2) usage_error("a command is missing");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) return commands[i].run(argc - 2, argv + 2);
    }
    usage_error("unknown command '%s'", argv[1]);
}
