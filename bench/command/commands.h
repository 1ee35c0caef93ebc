/* commands.h: the subcommands. Each gets what follows its name and returns the exit status. */
#ifndef SIMDP_COMMANDS_H
#define SIMDP_COMMANDS_H

int command_info(int argc, char **argv);
int command_words(int argc, char **argv);
int command_noise(int argc, char **argv);
int command_release(int argc, char **argv);
int command_select(int argc, char **argv);
int command_tune(int argc, char **argv);
int command_audit(int argc, char **argv);
int command_account(int argc, char **argv);
int command_account_pld(int argc, char **argv);   /* simdp account pld */

#endif
