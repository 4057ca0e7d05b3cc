# SPDX-License-Identifier: MIT
# Target `docs`: the API pages, in build/docs/html. A broken reference, or a snippet that is gone, is an error.

find_package(Doxygen 1.9 QUIET)
if(DOXYGEN_FOUND)
  add_custom_target(docs
    COMMAND "${CMAKE_COMMAND}" -E env "DOCS_OUT=${PROJECT_BINARY_DIR}" "${DOXYGEN_EXECUTABLE}" docs/Doxyfile
    COMMAND "${CMAKE_COMMAND}" -E echo "Open ${PROJECT_BINARY_DIR}/html/index.html"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" VERBATIM)
else()
  add_custom_target(docs
    COMMAND "${CMAKE_COMMAND}" -E echo "Doxygen was not found: run ./setup --docs, then configure again."
    COMMAND "${CMAKE_COMMAND}" -E false VERBATIM)
endif()
