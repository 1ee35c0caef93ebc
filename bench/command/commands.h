/* commands.h: the subcommands. One table says what each is called, how it is used and what runs. */
#ifndef SIMDP_COMMANDS_H
#define SIMDP_COMMANDS_H

typedef struct command command;
struct command {
    const char *name;
    const char *arguments; /* what follows the name in the usage line */
    const char *summary;   /* a line of the list */
    const char *options;   /* lines of the page; may be empty */
    const char *example;   /* a line of shell that works on every machine: tests/tree/test_command runs it */
    int (*run)(int argc, char **argv); /* gets what follows the name and returns the exit status */
    const command *inner;              /* instead of run: commands of this command; ends with a NULL name */
};

extern const command commands[]; /* ends with a NULL name */

int command_info(int argc, char **argv);
int command_words(int argc, char **argv);
int command_noise(int argc, char **argv);
int command_release(int argc, char **argv);
int command_select(int argc, char **argv);
int command_tune(int argc, char **argv);
int command_audit(int argc, char **argv);
int command_help(int argc, char **argv);

/* simdp account */
int account_compose(int argc, char **argv);
int account_optimal(int argc, char **argv);
int account_gaussian(int argc, char **argv);
int account_laplace(int argc, char **argv);
int account_rr(int argc, char **argv);
int account_zcdp(int argc, char **argv);
int account_renyi(int argc, char **argv);
int account_typical(int argc, char **argv);
int account_pld(int argc, char **argv);
int account_sgd(int argc, char **argv);

#endif
