# SPDX-License-Identifier: MIT
# Everything the kit takes from the system. Nothing is downloaded at build time; `./setup` installs what is missing.
#
#   target                        used for
#   Eigen3::Eigen                 reference results, interop, linear algebra on the host
#   xxhash::xxhash                cache keys and checksums
#   zlib::zlib                    NumPy's archives of arrays, .npz
#   nlohmann_json::nlohmann_json  reports as JSON
#   Threads::Threads
#   fmt::fmt CLI11::CLI11 tomlplusplus::tomlplusplus                                 (the autograder)
#   LibArchive::LibArchive        archives of submissions                            (the autograder)
#   PNG::PNG                      the pictures of a verdict (the autograder); optional: gpu::image
#   seccomp::seccomp              what a student's code may ask of the kernel        (the autograder)
#   sodium::sodium                secret random inputs                               (the autograder)
#   yaml_cpp::yaml_cpp            who handed in what, in Gradescope's exports        (the autograder)
#   doctest::doctest              tests
#   Boost::context                optional: test oracle of the fibers, and the fibers themselves off x86-64 and arm64
#   benchmark::benchmark          optional: `make bench`
#   openblas::openblas            optional: linear algebra on the host, which Eigen's templates do without it
#   dlpack::dlpack                optional: <gpu/dlpack.hpp>, for programs that include it, and its tests
#   KIT_RANDOM123_INCLUDE_DIR     optional: test oracle of gpu::random
#   CUDA::cudart_static ...       if KIT_CUDA_FOUND

set(kit_missing "")

macro(kit_find package)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    list(APPEND kit_missing ${package})
  endif()
endmacro()

find_package(Threads REQUIRED)
kit_find(Eigen3 3.4 NO_MODULE GLOBAL)                           # for those who link gpu::eigen
kit_find(nlohmann_json 3.10)
if(KIT_COURSE)
  kit_find(fmt 9)
  kit_find(CLI11 2.1)
  kit_find(tomlplusplus 3.0)
  kit_find(LibArchive 3.6)
  kit_find(PNG 1.6)
endif()
if(PROJECT_IS_TOP_LEVEL AND BUILD_TESTING)
  kit_find(doctest 2.4)
endif()

# These ship no CMake package on Debian, and pkg-config would be one more program to install. An archive is taken where
# there is one: one thing less to be there at run time.
macro(kit_find_library name header)
  string(TOUPPER "KIT_${name}" kit_found)
  find_path(${kit_found}_INCLUDE_DIR ${header})
  find_library(${kit_found}_LIBRARY NAMES ${ARGN})
  mark_as_advanced(${kit_found}_INCLUDE_DIR ${kit_found}_LIBRARY)
  if(NOT ${kit_found}_INCLUDE_DIR OR NOT ${kit_found}_LIBRARY)
    list(APPEND kit_missing ${name})
  elseif(NOT TARGET ${name}::${name})
    add_library(${name}::${name} UNKNOWN IMPORTED)
    set_target_properties(${name}::${name} PROPERTIES
      IMPORTED_LOCATION "${${kit_found}_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${${kit_found}_INCLUDE_DIR}")
  endif()
endmacro()

kit_find_library(xxhash xxhash.h xxhash)
kit_find_library(zlib zlib.h z)
if(KIT_COURSE)
  kit_find_library(seccomp seccomp.h libseccomp.a seccomp)
  kit_find_library(sodium sodium.h libsodium.a sodium)
  kit_find_library(yaml_cpp yaml-cpp/yaml.h libyaml-cpp.a yaml-cpp)
endif()

if(kit_missing)
  list(JOIN kit_missing ", " kit_missing)
  message(FATAL_ERROR "Not found, or too old: ${kit_missing}. Please run ./setup, then try again.")
endif()

# --- optional ---------------------------------------------------------------------------------------------------------
find_package(boost_context QUIET CONFIG)                         # Boost's own package file; sets Boost::context
find_package(benchmark QUIET)
find_package(dlpack QUIET CONFIG GLOBAL)
find_package(PNG 1.6 QUIET GLOBAL)                               # for those who link gpu::image
# The library alone, by Fortran's names, so that no package of headers and archives is needed.
find_library(KIT_OPENBLAS_LIBRARY NAMES openblas libopenblas.so.0)
mark_as_advanced(KIT_OPENBLAS_LIBRARY)
if(KIT_OPENBLAS_LIBRARY AND NOT TARGET openblas::openblas)
  include(CheckLibraryExists)                                    # some builds have BLAS alone
  set(CMAKE_REQUIRED_QUIET ON)
  check_library_exists("${KIT_OPENBLAS_LIBRARY}" zgesvj_ "" KIT_OPENBLAS_HAS_LAPACK)
  if(KIT_OPENBLAS_HAS_LAPACK)
    add_library(openblas::openblas UNKNOWN IMPORTED GLOBAL)
    set_target_properties(openblas::openblas PROPERTIES IMPORTED_LOCATION "${KIT_OPENBLAS_LIBRARY}")
  endif()
endif()
find_path(KIT_RANDOM123_INCLUDE_DIR Random123/philox.h)
mark_as_advanced(KIT_RANDOM123_INCLUDE_DIR)

# --- CUDA: a toolkit is enough; no GPU, no driver and no nvcc step is needed to build ---------------------------------
set(KIT_CUDA_FOUND OFF)
if(NOT GPU_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "GPU_CUDA is \"${GPU_CUDA}\"; it can be AUTO, ON or OFF")
endif()
if(NOT GPU_CUDA STREQUAL "OFF")
  # CMake 3.25 marks this library as superseded without looking whether it is there, and CUDA 13 hasn't got it.
  if(CMAKE_VERSION VERSION_LESS 3.26 AND NOT TARGET CUDA::nvToolsExt)
    add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
  endif()
  find_package(CUDAToolkit 12.8 QUIET)              # the first whose runtime loads libraries of kernels
  if(CUDAToolkit_FOUND AND TARGET CUDA::cudart_static)
    set(KIT_CUDA_FOUND ON)
    message(STATUS "CUDA toolkit ${CUDAToolkit_VERSION} found: libgpu gets its CUDA backend")
  elseif(GPU_CUDA STREQUAL "ON")
    message(FATAL_ERROR "GPU_CUDA is ON, but no CUDA toolkit (12.8 or newer, with its static runtime) was found. "
                        "Set CUDAToolkit_ROOT, or use GPU_CUDA=AUTO.")
  else()
    message(STATUS "No CUDA toolkit found: libgpu is built with its host backend alone")
  endif()
endif()
