# cmake --install: headers, both libraries, the command, the CMake package and the pkg-config file.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/simdp)

install(TARGETS simdp simdp-shared EXPORT simdp-targets)
install(EXPORT simdp-targets NAMESPACE simdp:: DESTINATION ${package_dir})
foreach(part simdp simdp_select simdp_release simdp_loss simdp_account simdp_system)
  install(FILES include/simdp/${part}.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/simdp)
endforeach()
if(simdp_have_mkl)
  # a set of its own, loaded only where MKL is found again
  install(TARGETS simdp-mkl EXPORT simdp-mkl-targets)
  install(EXPORT simdp-mkl-targets NAMESPACE simdp:: DESTINATION ${package_dir})
  install(FILES include/simdp/simdp_mkl.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/simdp)
endif()
if(TARGET simdp-command)
  install(TARGETS simdp-command)
endif()

configure_package_config_file(cmake/simdp-config.cmake.in simdp-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(simdp-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/simdp-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/simdp-config-version.cmake
        DESTINATION ${package_dir})

# relative to where the file lies, so that the installed tree can be moved
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/simdp.pc.in simdp.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/simdp.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
