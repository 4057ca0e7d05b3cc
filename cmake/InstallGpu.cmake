# SPDX-License-Identifier: MIT
# Installs libgpu as a CMake package, find_package(gpu), and for pkg-config, gpu.pc.
#
# The root includes this file after libgpu, which states nothing about installing: the target, its headers, the exported
# package and its version file are all installed here.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(kit_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/gpu")
install(TARGETS gpu gpu_thread_variables EXPORT gpuTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
# Opened by libgpu when it is needed. `make tour` doesn't build it, which takes minutes without OpenBLAS; an installed
# libgpu has it.
install(CODE "
  if(NOT EXISTS \"$<TARGET_FILE:gpu_host_linalg>\")
    message(STATUS \"Building libgpu's linear algebra for the host (once; without OpenBLAS it takes some minutes)\")
    execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --config \"$<CONFIG>\"
      --target gpu_host_linalg COMMAND_ERROR_IS_FATAL ANY)
  endif()")
install(TARGETS gpu_host_linalg LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/libgpu/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/libgpu/share/gdb" DESTINATION "${CMAKE_INSTALL_DATADIR}/libgpu"
  FILES_MATCHING PATTERN "*.py")
install(EXPORT gpuTargets NAMESPACE gpu:: DESTINATION "${kit_package_dir}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/gpuConfig.cmake.in" "${PROJECT_BINARY_DIR}/gpuConfig.cmake"
  INSTALL_DESTINATION "${kit_package_dir}" PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gpuConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gpuConfig.cmake" "${PROJECT_BINARY_DIR}/gpuConfigVersion.cmake"
  DESTINATION "${kit_package_dir}")

set(kit_pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
string(REGEX REPLACE "[^/]+" ".." kit_prefix_of_pc "${kit_pc_dir}")   # "../..": the package may be moved as a whole
configure_file("${CMAKE_CURRENT_LIST_DIR}/gpu.pc.in" "${PROJECT_BINARY_DIR}/gpu.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/gpu.pc" DESTINATION "${kit_pc_dir}")
