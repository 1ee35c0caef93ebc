message(FATAL_ERROR "simdp included a CMake module of the host's instead of its own")
