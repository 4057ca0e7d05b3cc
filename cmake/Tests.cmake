# SPDX-License-Identifier: MIT
# Two helpers for test lists. A test that can't run here prints "SKIP: reason" and exits with 77; a program with several
# cases prints "SKIP: case: reason" for the ones it left out. `make test` lists both at its end.
#
#   kit_add_doctest(<name> SOURCES <file>... [LIBRARIES <target>...] [LABELS <label>...] [TIMEOUT <s>] [SERIAL])
#       Builds one doctest program and registers it under its name. Its main() is built once for all programs.
#   kit_add_test(<name> COMMAND <command>... [LABELS <label>...] [TIMEOUT <s>] [SERIAL])
#       Registers a command; a leading target name is replaced by the program's path.

function(kit_test_properties name)
  cmake_parse_arguments(arg "SERIAL" "TIMEOUT" "LABELS" ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
  if(arg_LABELS)
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}")
  endif()
  if(arg_TIMEOUT)
    set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
  endif()
  if(arg_SERIAL)
    set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
  endif()
endfunction()

function(kit_add_test name)
  cmake_parse_arguments(arg "SERIAL" "TIMEOUT" "COMMAND;LABELS" ${ARGN})
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  kit_test_properties(${name} ${ARGN})
endfunction()

function(kit_add_doctest name)
  cmake_parse_arguments(arg "SERIAL" "TIMEOUT" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE kit_doctest kit_warnings ${arg_LIBRARIES})
  target_compile_options(${name} PRIVATE ${kit_test_options})
  add_test(NAME ${name} COMMAND ${name})
  kit_test_properties(${name} ${ARGN})
endfunction()

# Tests wait for compilers and kernels, hardly ever for their own code: most of their cost is to compile it.
set(kit_test_options $<$<CONFIG:RelWithDebInfo>:-O0>)
if(KIT_SANITIZE)
  set(kit_test_options -O0)
endif()

if(PROJECT_IS_TOP_LEVEL AND BUILD_TESTING)
  set(kit_support "${PROJECT_SOURCE_DIR}/tests/support")
  add_library(kit_doctest STATIC "${kit_support}/doctest_implementation.cpp" "${kit_support}/doctest_main.cpp")
  target_link_libraries(kit_doctest PUBLIC doctest::doctest PRIVATE kit_warnings)
  # What tests include most is parsed once for all of their programs, and as parts of programs.
  set_target_properties(kit_doctest PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(kit_doctest PRIVATE -fPIE ${kit_test_options})
  kit_precompile(kit_doctest <algorithm> <array> <atomic> <cmath> <complex> <cstdint> <cstdio> <cstdlib> <cstring>
    <filesystem> <fstream> <functional> <iterator> <limits> <map> <memory> <mutex> <numeric> <optional> <random> <set>
    <span> <sstream> <stdexcept> <string> <string_view> <thread> <utility> <vector> <doctest/doctest.h>)
endif()
