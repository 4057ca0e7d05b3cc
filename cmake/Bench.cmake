# SPDX-License-Identifier: MIT
# Target `bench`: what gpu.hpp costs a compile, then every benchmark program that a CMakeLists.txt has named by
#     set_property(GLOBAL APPEND PROPERTY KIT_BENCHMARKS <target>)

add_custom_target(bench
  COMMAND sh "${PROJECT_SOURCE_DIR}/tests/headers_budget/measure" "${CMAKE_CXX_COMPILER}" "${PROJECT_SOURCE_DIR}"
  USES_TERMINAL VERBATIM)
get_property(kit_benchmarks GLOBAL PROPERTY KIT_BENCHMARKS)
foreach(program IN LISTS kit_benchmarks)
  add_custom_command(TARGET bench POST_BUILD COMMAND ${program} USES_TERMINAL VERBATIM)
  add_dependencies(bench ${program})
endforeach()
