# SPDX-License-Identifier: MIT
# Installs libgpu as a CMake package, find_package(gpu), and for pkg-config, gpu.pc.
#
# The root includes this file after libgpu, which states nothing about installing: the target, its headers, the exported
# package and its version file are all installed here.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(kit_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/gpu")
set(kit_libraries gpu)
if(KIT_STATIC)
  target_link_options(gpu INTERFACE "$<INSTALL_INTERFACE:LINKER:-rpath,$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}>")
else()
  list(APPEND kit_libraries gpu_thread_variables)
endif()
install(TARGETS ${kit_libraries} EXPORT gpuTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
# What `make tour` doesn't build: the linear algebra that libgpu opens when it is needed, which takes minutes without
# OpenBLAS, pictures and gpucc. An installed libgpu has them.
function(kit_install_builds target what)
  install(CODE "
    if(NOT EXISTS \"$<TARGET_FILE:${target}>\")
      message(STATUS \"Building ${what}\")
      execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --config \"$<CONFIG>\"
        --target ${target} COMMAND_ERROR_IS_FATAL ANY)
    endif()")
endfunction()
kit_install_builds(gpu_host_linalg "libgpu's linear algebra for the host (once; without OpenBLAS it takes some minutes)")
install(TARGETS gpu_host_linalg LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/libgpu/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/libgpu/share/gdb" DESTINATION "${CMAKE_INSTALL_DATADIR}/libgpu"
  FILES_MATCHING PATTERN "*.py" PATTERN "*.gdb")
if(TARGET gpu_image)                                                    # a component: its target is exported by itself
  kit_install_builds(gpu_image "gpu::image")
  install(TARGETS gpu_image EXPORT gpuImageTargets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/libgpu/image/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT gpuImageTargets NAMESPACE gpu:: DESTINATION "${kit_package_dir}")
endif()
install(EXPORT gpuTargets NAMESPACE gpu:: DESTINATION "${kit_package_dir}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/gpuConfig.cmake.in" "${PROJECT_BINARY_DIR}/gpuConfig.cmake"
  INSTALL_DESTINATION "${kit_package_dir}" PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gpuConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gpuConfig.cmake" "${PROJECT_BINARY_DIR}/gpuConfigVersion.cmake"
  DESTINATION "${kit_package_dir}")

if(TARGET gpucc)
  kit_install_builds(gpucc "gpucc")
  install(TARGETS gpucc gpucc_runtime RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(DIRECTORY "${PROJECT_BINARY_DIR}/include/gpucc/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/gpucc"
    PATTERN copied EXCLUDE)
  set(gpucc_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/gpucc")
  configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/gpuccConfig.cmake.in" "${PROJECT_BINARY_DIR}/gpuccConfig.cmake"
    INSTALL_DESTINATION "${gpucc_package_dir}" PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/gpuccConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/gpuccConfig.cmake" "${PROJECT_BINARY_DIR}/gpuccConfigVersion.cmake"
    DESTINATION "${gpucc_package_dir}")
endif()

# The notebooks' kernel: jupyter finds it in PREFIX/share/jupyter, and it finds all else from there.
if(TARGET gpu_cells)
  kit_install_builds(gpu_cells "the notebooks' kernel")
  install(TARGETS gpu_cells RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  if(KIT_COURSE)                                                        # a target of a part that comes later
    kit_install_builds(course-explain "the notebooks' words for errors")
    install(PROGRAMS "$<TARGET_FILE:course-explain>" DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
  set(notebook_dir "${PROJECT_SOURCE_DIR}/libgpu/jupyter")
  install(DIRECTORY "${notebook_dir}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(DIRECTORY "${notebook_dir}/gpu_notebook" DESTINATION share/gpu-notebook FILES_MATCHING PATTERN "*.py")
  get_target_property(notebook_python gpu_cells NOTEBOOK_PYTHON)
  get_target_property(notebook_eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  set(notebook_up "../../..")
  set(notebook_includes "f\"{PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\"")
  set(notebook_libraries "f\"-L{PREFIX}/${CMAKE_INSTALL_LIBDIR}\", \"-lgpu\", f\"-Wl,-rpath,{PREFIX}/${CMAKE_INSTALL_LIBDIR}\"")
  if(TARGET gpu_image)
    string(APPEND notebook_libraries ", \"-lgpu_image\"")
  endif()
  set(notebook_kernel_options "")
  set(notebook_header "{PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/gpu_notebook/notebook.hpp")
  set(notebook_root "")
  configure_file("${notebook_dir}/config.py.in" "${PROJECT_BINARY_DIR}/notebook_installed/config.py" @ONLY)
  configure_file("${notebook_dir}/kernel.json.in" "${PROJECT_BINARY_DIR}/notebook_installed/kernel.json" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/notebook_installed/config.py" DESTINATION share/gpu-notebook/gpu_notebook)
  install(FILES "${PROJECT_BINARY_DIR}/notebook_installed/kernel.json" "${notebook_dir}/start.py"
    DESTINATION share/jupyter/kernels/gpu-course)
endif()

set(kit_pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
string(REGEX REPLACE "[^/]+" ".." kit_prefix_of_pc "${kit_pc_dir}")   # "../..": the package may be moved as a whole
set(kit_private_libraries "")                                           # what an archive takes along: pkg-config --static
if(KIT_STATIC)
  set(kit_private_libraries "-lxxhash -lz")
  if(TARGET Boost::context)
    string(APPEND kit_private_libraries " -lboost_context")
  endif()
  if(KIT_CUDA_FOUND)
    string(APPEND kit_private_libraries " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt")
  endif()
  string(APPEND kit_private_libraries " -ldl -pthread")
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/gpu.pc.in" "${PROJECT_BINARY_DIR}/gpu.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/gpu.pc" DESTINATION "${kit_pc_dir}")
if(TARGET gpu_image)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/gpu-image.pc.in" "${PROJECT_BINARY_DIR}/gpu-image.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/gpu-image.pc" DESTINATION "${kit_pc_dir}")
endif()

# `cpack -G DEB` in the build folder makes one package for Debian or Ubuntu, of what is installed.
if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_PACKAGE_NAME "gpucc")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Compiles plain CUDA programs for the CPU; libgpu")
  set(CPACK_PACKAGE_CONTACT "the authors of the GPU course kit")
  set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
  set(CPACK_GENERATOR "DEB")
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++ | clang")   # a program's host half and its kernels are compiled
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gdb")
  include(CPack)
endif()
