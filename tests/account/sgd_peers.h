/* sgd_peers.h: made by bench/peers/peers_sgd.py, 2026-11-18: dp-accounting 0.6.0, prv-accountant 0.2.0, opacus 1.6.0.
 * epsilon by dp_accounting (connect the dots, grid 1e-4), by prv_accountant (a bracket, epsilon to 0.02) and by the
 * Renyi divergences of Opacus. NaN: no answer. */
static const struct {
    const char *name;
    simdp_account_sgd_run run;
    double delta, dp_accounting, prv_low, prv_high, opacus;
} sgd_peers[] = {
    {"MNIST, 60 epochs of 256",
     {1.1, 0.004266666666666667, 14062},
     1e-05,
     2.38168600223,
     2.36146340227,
     2.40175159895,
     2.59655586896},
    {"CIFAR-10, 100 epochs of 512",
     {1.5, 0.01024, 9766},
     1e-05,
     3.22944780932,
     3.20922145588,
     3.24959079453,
     3.50664257639},
    {"ImageNet-like, 90 epochs of 16384",
     {2.5, 0.012788340630066182, 7037},
     8e-07,
     2.03621793959,
     2.01607088449,
     2.05626621768,
     2.19003085684},
    {"much noise", {8.0, 0.05, 2000}, 1e-06, 1.20834476451, 1.18827726333, 1.22840192689, 1.30269015224},
    {"few steps", {1.0, 0.1, 10}, 1e-05, 2.8545189666, 2.83432293574, 2.87486270621, 3.44132445893},
    {"little noise", {0.7, 0.001, 5000}, 1e-06, 1.38056901996, 1.36037082343, 1.40075529264, 2.29077825943},
    {"delta below 1e-15", {1.1, 0.004, 10000}, 1e-20, INFINITY, NAN, NAN, 5.2242653478},
};
