# SPDX-License-Identifier: MIT
# What holds for every target of the kit. A project that includes the kit as a subdirectory keeps its own defaults.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(PROJECT_IS_TOP_LEVEL)
  get_property(kit_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT CMAKE_BUILD_TYPE AND NOT kit_multi_config)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)   # only an empty one is replaced
  endif()
  # Line tables are enough for a backtrace, and a newcomer waits for this build: full debug information costs a quarter more.
  # Kernels are compiled at run time, with flags of their own; of g++'s -O2 the kit itself needs the inlining, and the
  # rest of -O2 costs a third of the build. What runs inside a kernel gets -O2 nonetheless. g++ collects its garbage from
  # 400 MB on, not from 128 MB: an eighth of the build's time, for 650 MB at most in place of 520.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -finline-functions -finline-small-functions -findirect-inlining -g1 -DNDEBUG")
    string(APPEND CMAKE_CXX_FLAGS_RELWITHDEBINFO " --param=ggc-min-heapsize=400000")
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")
  endif()
  # One place for programs and one for libraries: build/<preset>/bin and build/<preset>/lib.
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)                                    # for clang-tidy and editors
endif()

if(NOT APPLE AND NOT CMAKE_INSTALL_RPATH)
  set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")
endif()

if(KIT_CCACHE)
  find_program(KIT_CCACHE_PROGRAM ccache REQUIRED)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${KIT_CCACHE_PROGRAM}")
endif()
