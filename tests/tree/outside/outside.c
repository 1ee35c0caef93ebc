#include <simdp/simdp.h>
#include <stdio.h>

int main(void)
{
    const uint8_t key[32] = {1, 2, 3};
    simdp_rng rng;
    double noise[5];
    if (simdp_rng_init_deterministic(&rng, key, 0) != SIMDP_OK ||
        simdp_noise_laplace_f64(&rng, noise, 5, 2.0) != SIMDP_OK)
        return 1;
    for (int i = 0; i < 5; i++) printf("%a\n", noise[i]);
    simdp_rng_wipe(&rng);
    return 0;
}
