# SPDX-License-Identifier: MIT
# Target `docs`: the site, in the build folder's docs/html; of the preset docs, build/docs/html.

if(PROJECT_BINARY_DIR MATCHES "/docs$")
  set(kit_docs_dir "${PROJECT_BINARY_DIR}")
else()
  set(kit_docs_dir "${PROJECT_BINARY_DIR}/docs")
endif()
add_custom_target(docs COMMAND "${PROJECT_SOURCE_DIR}/docs/site/build" "${kit_docs_dir}" VERBATIM)
