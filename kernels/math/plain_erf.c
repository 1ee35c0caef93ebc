/* plain_erf.c: the error function and its complement. */
#include "math/plain_math.h"

#include "math/plain_tables.h"

#define TWO_OVER_SQRT_PI     0x1.20dd750429b6dp+0
#define TWO_OVER_SQRT_PI_LOW 0x1.1ae3a914fed8p-56

/* erf(x), |x| < 1/2: x times 2/sqrt(pi) and a polynomial in x^2, error 2^-58 (Chebyshev) */
static dd erf_near_zero(double x)
{
    static const double c[10] = {
        -0x1.812746b0379e7p-2,  0x1.ce2f21a042be2p-4,  -0x1.b82ce31288b13p-6,  0x1.565bcd0e673b1p-8,
        -0x1.c02db3fdbb984p-11, 0x1.f9a325cbffcaap-14, -0x1.f4d2063d89718p-17, 0x1.b9d7967f8dcd5p-20,
        -0x1.5dd2fcc1206e6p-23, 0x1.cac885b9d0bf4p-27,
    };
    const double y = x * x;
    double p = c[9];
    for (int i = 8; i >= 0; i--) p = p * y + c[i];
    const dd first = dd_two_prod(x, TWO_OVER_SQRT_PI);
    return dd_quick_two_sum(first.hi, first.lo + x * (TWO_OVER_SQRT_PI_LOW + y * p));
}

/* |x| < 2^-500, where parts of products may be subnormal */
static double erf_of_tiny(double x)
{
    const double y = x * 0x1p500;
    const dd first = dd_two_prod(y, TWO_OVER_SQRT_PI);
    return copysign((first.hi + (first.lo + y * TWO_OVER_SQRT_PI_LOW)) * 0x1p-500, x); /* for the sign of 0 */
}

/* erfcx(x) = e^(x^2) erfc(x) for 1/2 <= x < 4, in 28 steps of 1/8: a polynomial of degree 10 in the distance h from the
 * middle, relative error 2^-58 (Chebyshev). The first two numbers are the constant term. */
static const double erfcx_table[28][12] = {
    {0x1.2b84f076e14fbp-1, 0x1.b8bd1accf8123p-55, -0x1.e18ab7052be7fp-2, 0x1.482bd9fad9edp-2, -0x1.8bed65e016fa4p-3,
     0x1.b1a22aa7a6c63p-4, -0x1.b65943042d43cp-5, 0x1.9dcc15163703p-6, -0x1.6ff69b0e496b2p-7, 0x1.364ea1241af4ep-8,
     -0x1.f3c4a51cfb24dp-10, 0x1.80c2d8d9a5bb4p-11},
    {0x1.0fce4e96dd619p-1, -0x1.7210607953137p-57, -0x1.97fe7bf1c60fp-2, 0x1.071da7f78298dp-2, -0x1.2ecd75f4d04b3p-3,
     0x1.3e0e0ed6b5e5p-4, -0x1.358dce2cc9f0fp-5, 0x1.1a31bff63d5dcp-6, -0x1.e5d3c82630484p-8, 0x1.8d62952308f56p-9,
     -0x1.36dfc32c8151bp-10, 0x1.d1b5e2ff27a79p-12},
    {0x1.f0723ff5acdf9p-2, -0x1.7b669ffa31576p-58, -0x1.5cbc2c216dfp-2, 0x1.aa32b83507192p-3, -0x1.d43ed8ca5d649p-4,
     0x1.d7f26045a2308p-5, -0x1.ba6d6918681ebp-6, 0x1.859d3cc741daap-7, -0x1.44bd1cf15c9ebp-8, 0x1.01b0565453518p-9,
     -0x1.87be45d183bb9p-11, 0x1.1d86a19c1abcap-12},
    {0x1.c7f81382721efp-2, -0x1.3f947ee724dfcp-62, -0x1.2c84af7c10e14p-2, 0x1.5c775dfc44978p-3, -0x1.6dcc9e7a2c8e4p-4,
     0x1.61fee765ff54dp-5, -0x1.3fc8366b5215dp-6, 0x1.102167dbb8b3p-7, -0x1.b75c9cd4c3329p-9, 0x1.524f4ea212cc7p-10,
     -0x1.f3d0796cd5e4ep-12, 0x1.628a6eb7a0f2ap-13},
    {0x1.a4f550c5f1a99p-2, -0x1.baa38f7c05cebp-58, -0x1.04ec886c0552fp-2, 0x1.1f73ffa65802dp-3, -0x1.20926c49bc269p-4,
     0x1.0c4c6c3e580fp-5, -0x1.d352a2835d209p-7, 0x1.807142e06ce3dp-8, -0x1.2cabe8ed59a44p-9, 0x1.c16bc03749689p-11,
     -0x1.42b31e903b547p-12, 0x1.bda210dec9ef5p-14},
    {0x1.8674923c605e1p-2, 0x1.c1d5cf55d2e9cp-56, -0x1.c841f18283f7ap-3, 0x1.de35ab5b880c5p-4, -0x1.cb858a0b1dcc4p-5,
     0x1.9abcc2c9dca41p-6, -0x1.5908bd6c7baf2p-7, 0x1.127f6dc329f11p-8, -0x1.a01dd55168bacp-10, 0x1.2ded117fcb77ep-11,
     -0x1.a58ec6d9dc4bcp-13, 0x1.1b6366430a182p-14},
    {0x1.6bb376a9390cdp-2, 0x1.9155d83c491ecp-56, -0x1.917d7928e2332p-3, 0x1.90e47c99926d2p-4, -0x1.711413b59aedep-5,
     0x1.3d5e9f54c976p-6, -0x1.014991d6e2851p-7, 0x1.8c10e9abaacd7p-9, -0x1.2309267415531p-10, 0x1.9a25b7a4881a6p-12,
     -0x1.16745896360c4p-13, 0x1.6c90c530a1cfap-15},
    {0x1.5416a05961e1cp-2, -0x1.192f1c5661688p-58, -0x1.63698e1f5ae48p-3, 0x1.528b08cb62361p-4, -0x1.2ae454cdcb75dp-5,
     0x1.eedbaf5ddfd59p-7, -0x1.835e05b41383ep-8, 0x1.209579b1aa5bep-9, -0x1.9b4f01a9df7dcp-11, 0x1.198a1997b8789p-12,
     -0x1.73dd290a1e9cfp-14, 0x1.da3507b64588ap-16},
    {0x1.3f20d017f353p-2, 0x1.69b190a5a8b26p-57, -0x1.3c5e938b9cefbp-3, 0x1.1fdbb34b82defp-4, -0x1.e7e4fd2df9033p-6,
     0x1.85190196365bep-7, -0x1.2642531b08443p-8, 0x1.a88dd719af72dp-10, -0x1.2586a38b759bbp-11, 0x1.867938998ad8ep-13,
     -0x1.f5d3f100db3c9p-15, 0x1.37b9d058f57b4p-16},
    {0x1.2c6c3d2ac6111p-2, 0x1.ce9d3cfcc8c99p-57, -0x1.1b110b4094c34p-3, 0x1.ecaedd6244629p-5, -0x1.9126c9e5ff85cp-6,
     0x1.346c4610698c1p-7, -0x1.c2f162810d836p-9, 0x1.3b26815b8d56dp-10, -0x1.a6efb8a58a927p-12, 0x1.1172b01dde93dp-13,
     -0x1.560ab33468811p-15, 0x1.9e1792102a403p-17},
    {0x1.1ba58e2518db3p-2, -0x1.38b16e4ecc3bap-61, -0x1.fcf6c328b302ep-4, 0x1.a82dedb53def2p-5, -0x1.4c2309f687ae4p-6,
     0x1.ecb8b2b74bdacp-8, -0x1.5c644ff1e4073p-9, 0x1.d7fa1b618b26bp-11, -0x1.337da5cfe888ep-12, 0x1.82a0662d3a845p-14,
     -0x1.d6d4874f925c9p-16, 0x1.15ccb68799ce1p-17},
    {0x1.0c8803dfa92b2p-2, 0x1.6bfe19c0859ddp-56, -0x1.cb9b1437dd505p-4, 0x1.6f4730a4cfc21p-5, -0x1.14d04d95e01f6p-6,
     0x1.8c7595ee7a87cp-8, -0x1.0f4ab647cea02p-9, 0x1.646338ee04633p-11, -0x1.c30c1599e100ap-13, 0x1.13d2af3af7b03p-14,
     -0x1.471db6c8866c5p-16, 0x1.7859bad7a83ccp-18},
    {0x1.fdb50ebdc92cep-3, 0x1.7daf962f0823dp-59, -0x1.a0c196a4dfbadp-4, 0x1.3fb5ad8f09d0fp-5, -0x1.d04be8dc9de51p-7,
     0x1.413a25f521967p-8, -0x1.a9b3057fc564ep-10, 0x1.0f44e853f6263p-11, -0x1.4d9b509cd2b9fp-13, 0x1.8d0338274c985p-15,
     -0x1.caada696832a7p-17, 0x1.0152b7741d15ap-18},
    {0x1.e4dac2d95830ep-3, 0x1.bd317797ea4bp-58, -0x1.7b5d2754d7c15p-4, 0x1.17b37f5230d5ep-5, -0x1.87af15ba61d09p-7,
     0x1.05fefdc10d5bep-8, -0x1.506700975cd24p-10, 0x1.a02387a259fcep-12, -0x1.f17e02e8450aap-14, 0x1.20252ef34e4b3p-15,
     -0x1.44670d5be871dp-17, 0x1.6311f93bae0cp-19},
    {0x1.ce30e45ab6494p-3, 0x1.c455704a0693fp-57, -0x1.5a930ffb85474p-4, 0x1.ebb6ceff21772p-6, -0x1.4c4757001fa12p-7,
     0x1.ae11499bf38eap-9, -0x1.0baab4a0095b3p-10, 0x1.418a6cb30b6f2p-12, -0x1.75d55e0c82fa5p-14, 0x1.a5ac36e355e4fp-16,
     -0x1.cec27d49d3701p-18, 0x1.ee3d180c7bbc3p-20},
    {0x1.b9739404354ecp-3, 0x1.6bdaf6c65c328p-57, -0x1.3db06d1993ad1p-4, 0x1.b22478684a9f1p-6, -0x1.1b6113e021157p-7,
     0x1.6318a0bc89304p-9, -0x1.acc072bb58332p-11, 0x1.f46739b833c05p-13, -0x1.1b03845785c7cp-14, 0x1.36f5d3d66735cp-16,
     -0x1.4cc2c9c757d4ep-18, 0x1.5ae31f1a69bcep-20},
    {0x1.a66919f10d593p-3, -0x1.e71d90433538cp-57, -0x1.2422065bd29b3p-4, 0x1.80ec0e5b3c127p-6, -0x1.e5c88c64014ep-8,
     0x1.26de51acacef7p-9, -0x1.598bd8c8fd743p-11, 0x1.8803e4402ed72p-13, -0x1.af98742e6ba57p-15, 0x1.ce18d4befac63p-17,
     -0x1.e255dd209d34dp-19, 0x1.eae9e8e436b4bp-21},
    {0x1.94e01f8c78672p-3, -0x1.c4378e8256c9fp-57, -0x1.0d6dfd1c8d18cp-4, 0x1.56a29b70d66e8p-6, -0x1.a25d31dd359a9p-8,
     0x1.ec5fef81b3518p-10, -0x1.1828c306b6ca2p-11, 0x1.35186e82433d3p-13, -0x1.4b5cffe6a5b6bp-15, 0x1.59d7bcff53eap-17,
     -0x1.603aad67701c2p-19, 0x1.5e1cd5602dd73p-21},
    {0x1.84ae4301fe0b3p-3, -0x1.00d13ec7739b3p-60, -0x1.f25dbcd862de7p-5, 0x1.3222d1cec4362p-6, -0x1.69eec99dfa617p-8,
     0x1.9d37605d814a4p-10, -0x1.c8e5724e6d643p-12, 0x1.ea75954d3fa6ap-14, -0x1.00189be58ba5ap-15,
     0x1.04a5ea876dbaap-17, -0x1.031ab21833fd2p-19, 0x1.f7332fa71bc6cp-22},
    {0x1.75aef0b5da0b6p-3, -0x1.fb5c379368e36p-57, -0x1.ce1f87d3b2cf9p-5, 0x1.127e47b315d76p-6, -0x1.3a75a2c38e90ep-8,
     0x1.5c7f215bc925ep-10, -0x1.769b5b4ddee25p-12, 0x1.877036f902b8ep-14, -0x1.8e5fc0a19023ap-16,
     0x1.8b87880a8baecp-18, -0x1.7fe5a4f38980bp-20, 0x1.6c46fc32208cp-22},
    {0x1.67c273e9aeab4p-3, 0x1.1aa99b70835a5p-57, -0x1.ad9288a7ff761p-5, 0x1.ede43490f14dbp-7, -0x1.1254578579232p-8,
     0x1.274c3a323f3e1p-10, -0x1.34bfdfc67d256p-12, 0x1.3a31b9f72c999p-14, -0x1.37bf16124bf72p-16,
     0x1.2e0daa034b0cdp-18, -0x1.1e5662e5bc08cp-20, 0x1.0995f2ef6ba5cp-22},
    {0x1.5acd331e82254p-3, 0x1.cc6b42cc68277p-57, -0x1.903e08fb40239p-5, 0x1.bdbc3f64b08f4p-7, -0x1.e08044f57a0ecp-9,
     0x1.f6b043889a59cp-11, -0x1.ff7ec750e0dc3p-13, 0x1.fb269916abd1fp-15, -0x1.eac9392e79bedp-17,
     0x1.d038eef5bc38cp-19, -0x1.adf3fc498c3edp-21, 0x1.85edaca8e4a76p-23},
    {0x1.4eb70f58ed3eap-3, 0x1.3ea979949d485p-58, -0x1.75bb89d0a7de5p-5, 0x1.937c138223a87p-7, -0x1.a65dbc5ec39dfp-9,
     0x1.adb39c1d4d4bbp-11, -0x1.a9b993c3438b4p-13, 0x1.9b74f3fe40056p-15, -0x1.84834e3f26744p-17,
     0x1.66e0d18d20a4bp-19, -0x1.44d9ca82285c2p-21, 0x1.202561634e53ep-23},
    {0x1.436adf606b637p-3, -0x1.5045bce9a9ab3p-58, -0x1.5db3a1a9adabep-5, 0x1.6e480729a23b6p-7, -0x1.74927abeed5e8p-9,
     0x1.70d12d6c71efep-11, -0x1.63f7caf18a3e3p-13, 0x1.4f813ac4f07dfp-15, -0x1.353a36e6896d3p-17,
     0x1.170cc5f850ea6p-19, -0x1.ede4064598d8p-22, 0x1.ac997eca48a68p-24},
    {0x1.38d60190223f4p-3, -0x1.defdc81c4b0efp-60, -0x1.47db73f966cfap-5, 0x1.4d68e4602ae56p-7, -0x1.49c05b7d5bcdep-9,
     0x1.3dcc9724290f6p-11, -0x1.2af41f3a9ec4cp-13, 0x1.12e63c6aa0e44p-15, -0x1.eed2e58a7a787p-18,
     0x1.b46284fd99de7p-20, -0x1.79aafe1b58ddfp-22, 0x1.40bcc9e5a4f66p-24},
    {0x1.2ee7fff434fbap-3, -0x1.5a4f37777ed31p-59, -0x1.33f2a1e11bdb6p-5, 0x1.30452b8af4d67p-7, -0x1.24c93d356c3ccp-9,
     0x1.12dd38eda872cp-11, -0x1.f843d61de7c97p-14, 0x1.c494d7d450bb1p-16, -0x1.8de767b45348bp-18,
     0x1.570e07627d1dcp-20, -0x1.2271d32a11363p-22, 0x1.e2ec1cd86ab73p-25},
    {0x1.25924350c7fadp-3, -0x1.f1fa3f737a2a4p-57, -0x1.21c19b6563795p-5, 0x1.165bb34252b2fp-7, -0x1.04c2306c86f28p-9,
     0x1.dd29d1ae213c4p-12, -0x1.ab03532d65ff6p-14, 0x1.7638cccf80bedp-16, -0x1.41856bfde5cdap-18,
     0x1.0f1680498edaep-20, -0x1.c132289d3ba63p-23, 0x1.6dab67e4a4874p-25},
    {0x1.1cc7d25f7330ap-3, 0x1.333b37aaaacdbp-57, -0x1.11183dc68a5dep-5, 0x1.fe7eb2005f88p-8, -0x1.d1d2d8dcf2137p-10,
     0x1.9f99243709e6p-12, -0x1.6b00a15e8a578p-14, 0x1.36c2c74abaa5cp-16, -0x1.0504168edb6eep-18, 0x1.ae95fda23dfbap-21,
     -0x1.5d35a9c614f5bp-23, 0x1.1670aacbf6767p-25},
};

static dd erfcx_near(double x)
{
    const int i = (int)(8.0 * x) - 4;
    const double *c = erfcx_table[i], h = x - (0.5625 + 0.125 * i), h2 = h * h, h4 = h2 * h2;
    const double p = (c[2] + h * c[3]) + h2 * (c[4] + h * c[5]) +
                     h4 * ((c[6] + h * c[7]) + h2 * (c[8] + h * c[9]) + h4 * (c[10] + h * c[11]));
    return dd_quick_two_sum(c[0], c[1] + h * p);
}

/* x erfcx(x), 4 <= x <= 28: 1/sqrt(pi) and a polynomial in w = 1/x^2, relative error 2^-58 (Chebyshev) */
static dd erfcx_far(double x)
{
    static const double c[14] = {
        -0x1.20dd750429ac9p-2,  0x1.b14c2f860e58p-2,   -0x1.0ecf9d9d5b31ep+0,  0x1.d9eb48dab95a2p+1,
        -0x1.0a9389b1cccf1p+4,  0x1.6e76dd89dd84p+6,   -0x1.29171224cc6cfp+9,  0x1.128e0ecfc948ap+12,
        -0x1.12a64406bdc59p+15, 0x1.113f7dbc79e8dp+18, -0x1.e30ccc83df21cp+20, 0x1.4d37909941343p+23,
        -0x1.308ba69103309p+25, 0x1.0ceef58a1451ep+26,
    };
    const double w = 1.0 / (x * x), w2 = w * w;
    double even = c[12], odd = c[13];
    for (int i = 10; i >= 0; i -= 2) {
        even = even * w2 + c[i];
        odd = odd * w2 + c[i + 1];
    }
    return dd_quick_two_sum(0x1.20dd750429b6dp-1, 0x1.d8a45d257fa9p-58 + w * (even + w * odd));
}

/* erfc(x) = 2^e (hi + lo), 1/2 <= x <= 28 */
static dd erfc_parts(double x, int *e)
{
    const dd square = dd_two_prod(x, x), power = plain_exp_parts(-square.hi, -square.lo, e),
             bell = dd_quick_two_sum(power.hi, power.lo);
    if (x < 4.0) return dd_mul(bell, erfcx_near(x));
    return dd_div(dd_mul(bell, erfcx_far(x)), dd_of(x));
}

double simdp_plain_erf(double x)
{
    const double size = fabs(x);
    if (size < 0.5) return size < 0x1p-500 ? erf_of_tiny(x) : erf_near_zero(x).hi;
    if (!(size < 6.0)) return isnan(x) ? x : copysign(1.0, x);
    int e;
    const dd rest = erfc_parts(size, &e), scaled = dd_scale(rest, plain_power_of_two(e)),
             result = dd_two_sum(1.0, -scaled.hi);
    return copysign(result.hi + (result.lo - scaled.lo), x);
}

double simdp_plain_erfc(double x)
{
    if (fabs(x) < 0.5) {
        const dd small = erf_near_zero(x), result = dd_two_sum(1.0, -small.hi);
        return result.hi + (result.lo - small.lo);
    }
    if (!(x > -6.0)) return isnan(x) ? x : 2.0;
    if (x > 28.0) return 0.0;
    int e;
    const dd result = erfc_parts(fabs(x), &e);
    if (x > 0.0) return plain_scaled_sum(result, e);
    const dd scaled = dd_scale(result, plain_power_of_two(e)), two = dd_two_sum(2.0, -scaled.hi);
    return two.hi + (two.lo - scaled.lo);
}
