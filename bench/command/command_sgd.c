/* simdp account sgd: the epsilon of DP-SGD, or the noise multiplier for one. */
#include <math.h>
#include <stdio.h>

#include "commands.h"
#include "number_text.h"
#include "options.h"
#include "progress.h"

static int show_progress(void *bar, double done)
{
    progress_show(bar, done);
    return 0;
}

static void accepted(simdp_status status)
{
    if (status == SIMDP_ENOMEMORY) failure("account sgd: %s", simdp_status_text(status));
    if (status != SIMDP_OK) usage_error("account sgd: %s", simdp_status_text(status));
}

int account_sgd(int argc, char **argv)
{
    enum { NOISE, EPSILON, RATE, STEPS, DELTA, ERROR, JSON };
    option o[] = {{.name = "--noise"},
                  {.name = "--epsilon"},
                  {.name = "--rate"},
                  {.name = "--steps"},
                  {.name = "--delta"},
                  {.name = "--error"},
                  {.name = "--json", .is_flag = true},
                  {.name = NULL}};
    options_read(o, argc, argv);
    if ((o[NOISE].value == NULL) == (o[EPSILON].value == NULL))
        usage_error("account sgd: needs one of --noise and --epsilon");
    if (o[RATE].value == NULL || o[STEPS].value == NULL || o[DELTA].value == NULL)
        usage_error("account sgd: needs --rate, --steps and --delta");
    const double rate = option_number(&o[RATE], 0), delta = option_number(&o[DELTA], 0),
                 error = option_number(&o[ERROR], 1e-3);
    const uint64_t steps = option_count(&o[STEPS], 0);
    const bool json = o[JSON].value != NULL;
    progress_bar bar = progress_begin("composing");
    if (o[NOISE].value != NULL) {
        double lower, upper;
        const simdp_account_sgd_run run = {option_number(&o[NOISE], 0), rate, steps};
        accepted(simdp_account_sgd_epsilon(&lower, &upper, run, delta, error, show_progress, &bar));
        progress_show(&bar, 1);
        if (json)
            printf("{\"noise\": %.17g, \"rate\": %.17g, \"steps\": %llu, \"delta\": %.17g, \"epsilon_lower\": %.17g, "
                   "\"epsilon\": %.17g}\n",
                   run.noise, rate, (unsigned long long)steps, delta, lower, upper);
        else printf("epsilon  %.17g\nat least %.17g\n", upper, lower);
    } else {
        double noise;
        const simdp_privacy target = {option_number(&o[EPSILON], 0), delta};
        accepted(simdp_account_sgd_noise(&noise, target, rate, steps, error, show_progress, &bar));
        progress_show(&bar, 1);
        if (json)
            printf("{\"epsilon\": %.17g, \"rate\": %.17g, \"steps\": %llu, \"delta\": %.17g, \"noise\": %.17g}\n",
                   target.epsilon, rate, (unsigned long long)steps, delta, noise);
        else printf("noise    %.17g\n", noise);
    }
    return 0;
}
