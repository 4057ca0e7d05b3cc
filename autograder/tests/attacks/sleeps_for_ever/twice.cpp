// SPDX-License-Identifier: MIT
@COMMON@
#include <csignal>
static void attack() { ::raise(SIGSTOP); }
