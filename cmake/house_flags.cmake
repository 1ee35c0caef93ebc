# Warnings, visibility, sanitizers and floating-point rules for everything that is built here.
set(simdp_quick_flags -O1)   # builds in half the time, where speed does not count
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  list(APPEND simdp_quick_flags -Wno-maybe-uninitialized)   # gcc sees such vectors behind loops that -O1 does not unroll
endif()
set(simdp_sanitize_flags "")
if(SIMDP_SANITIZE)
  # -g1: reports name functions and lines
  set(simdp_sanitize_flags -fsanitize=${SIMDP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    ${simdp_quick_flags} -g1)
endif()

# gcc 11.3 drops stores that are read later, in its pass for dead stores on RTL: the scalar exponential_f32 and integer
# releases gave other bits than with every other compiler, as test_isa_identity and test_release_forms notice. gcc 12 does not.
set(simdp_compiler_repairs "")
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 12)
  set(simdp_compiler_repairs -fno-dse)
endif()

function(simdp_house_flags target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden
    UNITY_BUILD OFF)   # files share names of static functions
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes> $<$<BOOL:${SIMDP_WERROR}>:-Werror>
    ${simdp_sanitize_flags} ${simdp_compiler_repairs})
  target_link_options(${target} PRIVATE ${simdp_sanitize_flags} ${simdp_float_link_flags})
  simdp_source_flags(${target} ${simdp_float_flags})
endfunction()
