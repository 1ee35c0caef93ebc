# The floating-point rules of simdp's own files, whatever surrounds them: CFLAGS, CMAKE_C_FLAGS, build types,
# add_compile_options and linked libraries of an embedding project may say -Ofast, -ffast-math, -march=native or -flto.
#
# Flags that must win are properties of source files: CMake puts those after all others on the command line, behind
# options of directories, targets and linked libraries. Guaranteed for every file of the library, also with such a host:
#   - IEEE 754 arithmetic: no part of fast-math, no contraction of a * b + c, SSE registers. kernels/vec/float_rules.h
#     refuses to compile otherwise.
#   - instruction sets: plain x86-64 (SSE2), and in a unit those it asks for besides. So dispatch decides what runs on
#     which CPU even if the host is built for one CPU only. (BMI and the like, which have no floating point, are left to
#     the host if it names them one by one.)
#   - no link-time optimisation, which would mix the flags of units.
# So the object code is that of a build without the host, but for its optimisation level, and the bits are the same.
# The command, tests and benchmarks get the first of these.
include(CheckCCompilerFlag)

# Each option by name: -fno-fast-math alone does not undo those that were given one by one.
set(simdp_float_flags -fno-fast-math -fno-unsafe-math-optimizations -fno-associative-math -fno-reciprocal-math
    -fno-finite-math-only -fsigned-zeros -ffp-contract=off)
if(simdp_x86)
  list(APPEND simdp_float_flags -mfpmath=sse)
endif()
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  list(APPEND simdp_float_flags -ftrapping-math -fno-single-precision-constant)
  if(simdp_x86)
    list(APPEND simdp_float_flags -mno-recip)
  elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "s390x")
    list(APPEND simdp_float_flags -fexcess-precision=fast)   # else gcc computes floats as doubles there, by tradition
  endif()
else()
  # clang 14 takes -fno-unsafe-math-optimizations for a wish to see floating-point exceptions, hence -fno-trapping-math.
  # It also warns of flags that override others, which a host may have made an error; later clangs renamed that warning.
  list(APPEND simdp_float_flags -fno-trapping-math)
  foreach(flag -fno-approx-func -fdenormal-fp-math=ieee -Wno-overriding-t-option -Wno-overriding-option)
    string(MAKE_C_IDENTIFIER "simdp_has${flag}" has)
    check_c_compiler_flag(${flag} ${has})
    if(${has})
      list(APPEND simdp_float_flags ${flag})
    endif()
  endforeach()
endif()

# -mno-sse3 takes back all vector extensions beyond SSE2, which a host may have given without -march.
set(simdp_plain_flags -fno-lto)
if(simdp_x86)
  list(PREPEND simdp_plain_flags -march=x86-64 -mno-sse3)
endif()

# A program linked with -Ofast or -ffast-math starts with subnormal numbers flushed to 0, and so does one that loads a
# shared library linked so by gcc 12 or older. Ours are linked with these flags, and leave subnormal numbers alone.
set(simdp_float_link_flags -O2 -fno-fast-math -fno-unsafe-math-optimizations)

# simdp_source_flags(target flags...): flags for each source of the target, after all that come from elsewhere and
# before what the source has of its own. A source that has them already, by another target, is left alone.
function(simdp_source_flags target)
  get_target_property(sources ${target} SOURCES)
  list(GET ARGN 0 mark)
  foreach(source ${sources})
    get_property(flags SOURCE ${source} PROPERTY COMPILE_OPTIONS)
    if(NOT mark IN_LIST flags)
      set_property(SOURCE ${source} PROPERTY COMPILE_OPTIONS ${ARGN} ${flags})
    endif()
  endforeach()
endfunction()
