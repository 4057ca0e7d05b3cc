// SPDX-License-Identifier: MIT
// The main() of every doctest program, compiled once: doctest's implementation is its slow part.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
