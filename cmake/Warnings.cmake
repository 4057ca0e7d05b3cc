# SPDX-License-Identifier: MIT
# `kit_warnings`: link it PRIVATE to every target of ours, as $<BUILD_INTERFACE:kit_warnings> where the target is installed.
#
# -Wconversion is left out on purpose: the library converts between dtypes and between index types on every page.

add_library(kit_warnings INTERFACE)
target_compile_options(kit_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wformat=2 -Wimplicit-fallthrough)
if(KIT_WERROR)
  target_compile_options(kit_warnings INTERFACE -Werror)
endif()
