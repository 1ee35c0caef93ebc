/* simdp: the library for a shell. Finds the command in the table, prints help, and sees that all output was written. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "options.h"
#include "simdp/simdp.h"

static const command *find(const command *list, const char *name)
{
    while (list->name != NULL && strcmp(list->name, name) != 0) list++;
    return list->name != NULL ? list : NULL;
}

static void print_list(const command *list)
{
    for (; list->name != NULL; list++) printf("  %-11s %s\n", list->name, list->summary);
}

static void print_words(word_function *word)
{
    const char *summary, *name;
    for (size_t i = 0; word != NULL && (name = word(i, &summary)) != NULL; i++) {
        if (summary[0] == '\0') printf("  %s\n", name);
        else printf("  %-20s %s\n", name, summary);
    }
    if (word != NULL) putchar('\n');
}

static void print_page(const command *outer, const command *c)
{
    const char *before = outer != NULL ? outer->name : "", *blank = outer != NULL ? " " : "";
    printf("usage: simdp %s%s%s%s%s\n%s\n\n", before, blank, c->name, c->arguments[0] ? " " : "", c->arguments,
           c->summary);
    if (c->inner != NULL) {
        print_list(c->inner);
        printf("\n'simdp help %s COMMAND' shows how to use one of them.\n\n", c->name);
    }
    print_words(command_words_of(c));
    if (c->options[0] != '\0') printf("%s\n", c->options);
    printf("example: %s\n", c->example);
}

int command_help(int argc, char **argv)
{
    if (argc == 0) {
        puts("usage: simdp COMMAND [OPTIONS]\n");
        print_list(commands);
        puts("\n'simdp help COMMAND' shows how to use one of them, with an example; 'simdp --version' its version.\n\n"
             "exit 0: done; 1: it could not be done (a full disk, no entropy, an audit that fails);\n"
             "2: the command line or an input is wrong, and nothing was written; 141, for a shell: the\n"
             "reader of a pipe went away");
        return 0;
    }
    const command *outer = NULL, *c = find(commands, argv[0]);
    if (c == NULL) usage_error("unknown command '%s'", argv[0]);
    if (argc > 1) {
        outer = c;
        c = c->inner != NULL ? find(c->inner, argv[1]) : NULL;
        if (c == NULL || argc > 2) usage_error("there is no help for '%s %s'", argv[0], argv[argc > 2 ? 2 : 1]);
    }
    print_page(outer, c);
    return 0;
}

static int run(int argc, char **argv)
{
    if (argc == 0) usage_error("a command is missing");
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) return command_help(0, NULL);
    if (strcmp(argv[0], "--version") == 0 || strcmp(argv[0], "-V") == 0) {
        printf("simdp %s\n", simdp_version());
        return 0;
    }
    const command *outer = NULL, *c = find(commands, argv[0]);
    if (c == NULL) usage_error("unknown command '%s'", argv[0]);
    int words = 1;
    if (c->inner != NULL && argc > 1 && find(c->inner, argv[1]) != NULL) {
        outer = c;
        c = find(c->inner, argv[1]);
        words = 2;
    }
    for (int i = words; i < argc; i++) {
        if (strcmp(argv[i], "--help") != 0 && strcmp(argv[i], "-h") != 0) continue;
        print_page(outer, c);
        return 0;
    }
    if (c->inner != NULL && argc == 1) usage_error("%s needs a command, for example %s", c->name, c->inner->name);
    if (c->inner != NULL) usage_error("unknown %s command '%s'", c->name, argv[1]);
    return c->run(argc - words, argv + words);
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_DFL); /* a reader who went away ends the program quietly, whoever started it ignoring that */
    /* a file opened later would get the number of standard output, and its text */
    if (fcntl(STDOUT_FILENO, F_GETFD) == -1) failure("standard output is closed");
    const int status = run(argc - 1, argv + 1);
    const bool failed_before = ferror(stdout);
    if (fclose(stdout) != 0 || failed_before) failure("cannot write to standard output");
    return status;
}
