// SPDX-License-Identifier: MIT
// An object without a bind.cpp.
int unused_function();
int unused_function() { return 1; }
