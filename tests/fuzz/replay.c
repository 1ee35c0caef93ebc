/* replay.c: runs a fuzz target without libFuzzer: the inputs of a corpus, each also with random changes, and random
 * bytes. An input is printed before it is tried if it is to be found again: the last line of a failed run is its cause.
 *
 *   fuzz_calls_replay CORPUS [ROUNDS]    CORPUS: a file of lines in hexadecimal; ROUNDS (100): changed and random inputs */
#include "fuzz.h"

#include <signal.h>
#include <unistd.h>

enum { INPUT_MOST = 4096 };

static uint8_t input[INPUT_MOST];
static size_t input_length;
static uint64_t state = 1;

static uint64_t next_random(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
}

/* Printed by the handler of a fault, and by nothing else. */
static void print_input(int signal_number)
{
    static const char digits[] = "0123456789abcdef";
    static char text[2 * INPUT_MOST + 1];
    for (size_t i = 0; i < input_length; i++) {
        text[2 * i] = digits[input[i] >> 4];
        text[2 * i + 1] = digits[input[i] & 15];
    }
    text[2 * input_length] = '\n';
    (void)!write(STDERR_FILENO, text, 2 * input_length + 1);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static int digit(int c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void try_with_changes(size_t changes)
{
    uint8_t kept[INPUT_MOST];
    const size_t length = input_length;
    LLVMFuzzerTestOneInput(input, input_length);
    memcpy(kept, input, length);
    for (size_t i = 0; i < changes; i++) {
        memcpy(input, kept, length);
        input_length = length;
        for (uint64_t bytes = 1 + next_random() % 4; length > 0 && bytes > 0; bytes--)
            input[next_random() % length] = (uint8_t)next_random();
        if (next_random() % 8 == 0 && length > 0) input_length = next_random() % length;
        LLVMFuzzerTestOneInput(input, input_length);
    }
}

int main(int count, char **arguments)
{
    const size_t rounds = count > 2 ? strtoul(arguments[2], NULL, 10) : 100;
    const size_t stride = getenv("SIMDP_TEST_SHORT") != NULL ? 8 : 1; /* of a short run every eighth input is enough */
    size_t lines = 0, read = 0;
    FILE *corpus = count > 1 ? fopen(arguments[1], "r") : NULL;
    if (corpus == NULL) return fprintf(stderr, "usage: replay CORPUS [ROUNDS]\n"), 2;
    signal(SIGABRT, print_input);
    signal(SIGSEGV, print_input);
    for (int c = 0, high = -1; c != EOF;) {
        c = getc(corpus);
        const int value = digit(c);
        if (value < 0) {
            if (input_length > 0 && read++ % stride == 0) try_with_changes(rounds / stride / 100), lines++;
            input_length = 0;
            high = -1;
        } else if (high < 0) high = value;
        else if (input_length < INPUT_MOST) {
            input[input_length++] = (uint8_t)(16 * high + value);
            high = -1;
        }
    }
    fclose(corpus);
    for (size_t i = 0; i < rounds / stride; i++) {
        input_length = next_random() % 300;
        for (size_t j = 0; j < input_length; j++) input[j] = (uint8_t)next_random();
        LLVMFuzzerTestOneInput(input, input_length);
    }
    printf("%zu inputs of the corpus, %zu others\n", lines, lines * (rounds / stride / 100) + rounds / stride);
    return lines == 0;
}
