# SPDX-License-Identifier: MIT
# `kit_warnings`: link it PRIVATE to every target of ours, as $<BUILD_INTERFACE:kit_warnings> where the target is installed.
#
# -Wconversion is left out on purpose: the library converts between dtypes and between index types on every page.

add_library(kit_warnings INTERFACE)
target_compile_options(kit_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wformat=2 -Wimplicit-fallthrough)
# g++ 13 and 14 take a reference into a temporary view's buffer for one to the view.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  target_compile_options(kit_warnings INTERFACE -Wno-dangling-reference)
endif()
if(KIT_WERROR)
  target_compile_options(kit_warnings INTERFACE -Werror)
endif()
