// SPDX-License-Identifier: MIT

// Raw kernels for @TOPIC@.cpp, if you write any.
