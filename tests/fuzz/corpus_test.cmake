# SPDX-License-Identifier: MIT
#   kit_add_fuzz_corpus(<part> <folder> <label> <library>...)
#       Builds <part>_fuzz_corpus of the targets in <folder>, without a fuzzer, and registers <part>.fuzz_corpus, which
#       replays <folder>/corpus.

function(kit_add_fuzz_corpus part folder label)
  file(GLOB targets CONFIGURE_DEPENDS "${folder}/*.cpp")
  set(harness "${PROJECT_SOURCE_DIR}/tests/fuzz")
  set(program ${part}_fuzz_corpus)
  add_executable(${program} ${targets} "${harness}/fuzz_target.cpp" "${harness}/replay.cpp")
  cmake_path(GET folder PARENT_PATH tests)
  target_include_directories(${program} PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${tests}")
  target_link_libraries(${program} PRIVATE ${ARGN} kit_warnings)
  target_compile_options(${program} PRIVATE ${kit_test_options})
  kit_unity(${program} 80000 ${targets})
  kit_add_test(${part}.fuzz_corpus COMMAND ${program} "${folder}/corpus" LABELS ${label} TIMEOUT 300)
endfunction()
