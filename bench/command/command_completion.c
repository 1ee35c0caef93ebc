/* simdp completion: a script for bash, made of the table of commands and the text of their help, so that it knows what
 * they know. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "options.h"

/* Options that a file name follows, and those that one of a few words does. */
static const char files[] = "--input|--output|--key-file|--header|--replay";
static const struct {
    const char *option, *words;
} choices[] = {
    {"--format", "text csv npy raw json"},
    {"--input-format", "text csv npy raw"},
    {"--isa", "scalar avx2 avx2_aesni avx2_vaes avx512"},
    {"--monotonic", "yes no"},
    {"--rounding", "dots plain"},
};

/* Each option of a help text, once: words that begin with two dashes. */
static void print_options(const char *usage, const char *text)
{
    const char *const parts[2] = {usage, text};
    char seen[2000] = " ";
    for (int part = 0; part < 2; part++) {
        for (const char *at = strstr(parts[part], "--"); at != NULL; at = strstr(at, "--")) {
            size_t length = 2;
            while (islower((unsigned char)at[length]) || isdigit((unsigned char)at[length]) || at[length] == '-')
                length++;
            char word[64];
            snprintf(word, sizeof word, " %.*s ", (int)(length < 60 ? length : 60), at);
            at += length;
            if (length == 2 || strstr(seen, word) != NULL || strlen(seen) + strlen(word) >= sizeof seen) continue;
            strcat(seen, word + 1);
        }
    }
    fputs(seen + 1, stdout);
}

static void print_case(const char *outer, const command *c)
{
    const char *summary, *name;
    word_function *word = command_words_of(c);
    printf("    '%s%s%s') words='", outer, outer[0] ? " " : "", c->name);
    for (const command *i = c->inner; i != NULL && i->name != NULL; i++) printf("%s ", i->name);
    for (size_t i = 0; word != NULL && (name = word(i, &summary)) != NULL; i++) printf("%s ", name);
    print_options(c->arguments, c->options);
    puts("--help' ;;");
}

static void print_bash(void)
{
    puts("# completion of simdp for bash; made by: simdp completion bash\n"
         "_simdp()\n{\n"
         "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command words\n"
         "    COMPREPLY=()\n"
         "    case $previous in");
    printf("    %s) COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n", files);
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        printf("    %s) COMPREPLY=($(compgen -W '%s' -- \"$current\")); return ;;\n", choices[i].option,
               choices[i].words);
    puts("    esac\n"
         "    command=\n"
         "    [ \"$COMP_CWORD\" -lt 2 ] || command=${COMP_WORDS[1]}");
    for (const command *c = commands; c->name != NULL; c++) {
        if (c->inner == NULL) continue;
        printf("    [ \"$command\" != %s ] || [ \"$COMP_CWORD\" -lt 3 ] || command=\"%s ${COMP_WORDS[2]}\"\n", c->name,
               c->name);
    }
    puts("    case $command in");
    printf("    '') words='");
    for (const command *c = commands; c->name != NULL; c++) printf("%s ", c->name);
    puts("--help --version' ;;");
    for (const command *c = commands; c->name != NULL; c++) {
        print_case("", c);
        for (const command *i = c->inner; i != NULL && i->name != NULL; i++) print_case(c->name, i);
    }
    puts("    *) words=--help ;;\n"
         "    esac\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -F _simdp simdp");
}

int command_completion(int argc, char **argv)
{
    if (argc != 1 || strcmp(argv[0], "bash") != 0) usage_error("completion needs the name of a shell: bash");
    print_bash();
    return 0;
}
