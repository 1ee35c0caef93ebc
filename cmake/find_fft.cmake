# The FFTW3 interface, for the privacy-loss distributions of account: target simdp::fft, or none. Part of the installed
# package too, where SIMDP_FFT says what the library was built with.
#
# FFTW comes first: a small library, where MKL would hang hundreds of megabytes on every program that links libsimdp.
# Mind that FFTW is under the GPL: whoever cannot have that takes mkl or off.
set(SIMDP_FFT auto CACHE STRING "FFTW3 interface of privacy-loss distributions: auto, fftw, mkl or off")
set_property(CACHE SIMDP_FFT PROPERTY STRINGS auto fftw mkl off)
set(simdp_fft_is off)
if(SIMDP_FFT MATCHES "^(auto|fftw)$")
  find_path(simdp_fftw_include fftw3.h)
  find_library(simdp_fftw_library fftw3)
  mark_as_advanced(simdp_fftw_include simdp_fftw_library)
  if(simdp_fftw_include AND simdp_fftw_library)
    set(simdp_fft_is fftw)
    if(NOT TARGET simdp::fft)
      add_library(simdp::fft UNKNOWN IMPORTED)
      set_target_properties(simdp::fft PROPERTIES IMPORTED_LOCATION ${simdp_fftw_library}
                            INTERFACE_INCLUDE_DIRECTORIES ${simdp_fftw_include})
    endif()
  elseif(SIMDP_FFT STREQUAL fftw)
    message(FATAL_ERROR "SIMDP_FFT=fftw, but FFTW was not found (Debian: libfftw3-dev)")
  endif()
endif()
if(SIMDP_FFT STREQUAL mkl OR (SIMDP_FFT STREQUAL auto AND simdp_fft_is STREQUAL off))
  if(TARGET MKL::MKL)
    set(simdp_fft_is mkl)
    if(NOT TARGET simdp::fft)
      add_library(simdp::fft INTERFACE IMPORTED)
      set_target_properties(simdp::fft PROPERTIES INTERFACE_LINK_LIBRARIES MKL::MKL
                            INTERFACE_INCLUDE_DIRECTORIES ${MKL_ROOT}/include/fftw)
    endif()
  elseif(SIMDP_FFT STREQUAL mkl)
    message(FATAL_ERROR "SIMDP_FFT=mkl, but MKL was not found")
  endif()
endif()
if(simdp_fft_is STREQUAL off AND SIMDP_FFT STREQUAL auto)
  message(STATUS "no FFTW3 interface: privacy-loss distributions do not compose (Debian: libfftw3-dev)")
endif()
