# Warnings, visibility, sanitizers and floating-point rules for everything that is built here.
set(simdp_sanitize_flags "")
if(SIMDP_SANITIZE)
  # -O1 -g1: reports name functions and lines, and the build takes half the time
  set(simdp_sanitize_flags -fsanitize=${SIMDP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g1)
endif()

function(simdp_house_flags target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden
    UNITY_BUILD OFF)   # files share names of static functions
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes> $<$<BOOL:${SIMDP_WERROR}>:-Werror> ${simdp_sanitize_flags})
  target_link_options(${target} PRIVATE ${simdp_sanitize_flags} ${simdp_float_link_flags})
  simdp_source_flags(${target} ${simdp_float_flags})
endfunction()
