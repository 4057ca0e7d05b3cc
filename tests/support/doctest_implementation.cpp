// SPDX-License-Identifier: MIT
// doctest's implementation, its slow part, compiled once for all test programs.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
