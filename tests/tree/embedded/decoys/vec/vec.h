#error "simdp's files found a header of the host's instead of their own"
