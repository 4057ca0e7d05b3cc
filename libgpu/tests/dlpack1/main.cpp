// SPDX-License-Identifier: MIT
// The same program as the public room's: it runs on the device that LIBGPU_DEVICE names.
#include "public/main.cpp"  // NOLINT(bugprone-suspicious-include)
