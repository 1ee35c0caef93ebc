# Flags of the kernel units: the only files with instructions beyond plain x86-64.
#
# Identical bits come first: the rules of float_flags.cmake, then the instruction sets a unit is for. Vector units are
# always built with -O3 unless this is a debug build: their loops over a step's vectors must be unrolled. Under
# sanitizers speed does not count, and -O1 builds in half the time.
if(SIMDP_SANITIZE)
  set(simdp_level_vector -O1)
  set(simdp_level_scalar -O1)
else()
  set(simdp_level_vector -O3)
  set(simdp_level_scalar -O2)   # nothing to unroll
endif()
set(simdp_isa_scalar $<$<NOT:$<CONFIG:Debug>>:${simdp_level_scalar}>)
set(simdp_isa_avx2_aesni -mavx2 -mfma -maes)
if(SIMDP_SANITIZE)
  # Every inlined intrinsic would be checked for its pointer, which takes minutes to build. The address sanitizer sees the
  # same faults, and the same source runs under all checks as scalar.
  list(APPEND simdp_isa_avx2_aesni -fno-sanitize=null,alignment,object-size)
endif()
set(simdp_isa_avx2_vaes ${simdp_isa_avx2_aesni} -mvaes -mbmi2)
set(simdp_isa_avx512 ${simdp_isa_avx2_vaes} -mavx512f -mavx512dq -mavx512bw -mavx512vl)

set(simdp_exact_flags ${simdp_float_flags} ${simdp_plain_flags} $<$<NOT:$<CONFIG:Debug>>:${simdp_level_vector}>)
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
  # LLVM's machine scheduler runs the vectors of a step one after the other to save registers, and so undoes the interleaving
  # that hides the latency of their chains: Laplace on AVX2 lost 23 % (Zen 3, clang 19: 575 against 750 M samples/s).
  list(APPEND simdp_exact_flags -mllvm -enable-misched=false)
endif()

if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  # gcc's scheduler after register allocation reorders by a model of a plain CPU what the source interleaves by hand: on a
  # Zen 4 releases of integers lost 9 to 27 % by it, Laplace noise 3 %. (AVX2 units are as fast either way.)
  list(APPEND simdp_isa_avx512 -fno-schedule-insns2)
endif()

# A vector unit that the CPU of a test run lacks need not be instrumented: names in SIMDP_SANITIZE_NOT.
set(SIMDP_SANITIZE_NOT "" CACHE STRING "units without sanitizers, for example avx512")
mark_as_advanced(SIMDP_SANITIZE_NOT)

function(simdp_unit_flags file)
  set(plain "")
  foreach(unit ${SIMDP_SANITIZE_NOT})
    if(file MATCHES "unit_${unit}\\.c$")
      set(plain -fno-sanitize=all)
    endif()
  endforeach()
  set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${simdp_exact_flags};${ARGN};${plain}")
endfunction()

# simdp_unit(target file flags...): a source with flags of a unit
function(simdp_unit target file)
  target_sources(${target} PRIVATE ${file})
  simdp_unit_flags(${file} ${ARGN})
endfunction()
