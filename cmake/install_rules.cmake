# cmake --install: components library (both forms), headers (with the CMake package and the pkg-config file), command (with
# its completion for bash) and docs (manual pages, made at that time, README, CHANGELOG, SECURITY and LICENSE). All of them, or one with --component.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/simdp)

install(TARGETS simdp simdp-shared EXPORT simdp-targets COMPONENT library)
install(EXPORT simdp-targets NAMESPACE simdp:: DESTINATION ${package_dir} COMPONENT headers)
install(DIRECTORY include/simdp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT headers
        FILES_MATCHING PATTERN "*.h" PATTERN simdp_mkl.h EXCLUDE)
if(simdp_have_mkl)
  # a set of its own, loaded only where MKL is found again
  install(TARGETS simdp-mkl EXPORT simdp-mkl-targets COMPONENT library)
  install(EXPORT simdp-mkl-targets NAMESPACE simdp:: DESTINATION ${package_dir} COMPONENT headers)
  install(FILES include/simdp/simdp_mkl.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/simdp COMPONENT headers)
endif()
if(TARGET simdp-command)
  install(TARGETS simdp-command COMPONENT command)
  if(NOT CMAKE_CROSSCOMPILING)   # made by the command itself, of its table of commands
    install(CODE "execute_process(COMMAND \"$<TARGET_FILE:simdp-command>\" completion bash
      OUTPUT_FILE \"${CMAKE_CURRENT_BINARY_DIR}/simdp.bash\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT command)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/simdp.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
            RENAME simdp COMPONENT command)
  endif()
endif()

configure_package_config_file(cmake/simdp-config.cmake.in simdp-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(simdp-config-version.cmake COMPATIBILITY ${simdp_compatibility})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/simdp-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/simdp-config-version.cmake
        DESTINATION ${package_dir} COMPONENT headers)

# relative to where the file lies, so that the installed tree can be moved
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/simdp.pc.in simdp.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/simdp.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT headers)

# simdp(1) is what the command says of itself, so it is there only if the command can run here
set(manual_1 "")
if(TARGET simdp-command AND NOT CMAKE_CROSSCOMPILING)
  set(manual_1 "$<TARGET_FILE:simdp-command>")
endif()
install(CODE "execute_process(COMMAND sh \"${CMAKE_CURRENT_SOURCE_DIR}/cmake/man_pages\" \"${CMAKE_CURRENT_SOURCE_DIR}\"
  \"${CMAKE_CURRENT_BINARY_DIR}/man\" \"${manual_1}\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT docs)
if(manual_1)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/man/simdp.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT docs)
endif()
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/man/simdp.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7 COMPONENT docs)
install(FILES README.md CHANGELOG.md SECURITY.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT docs)
