int host_m(void);
int host_m(void) { return 42; }
