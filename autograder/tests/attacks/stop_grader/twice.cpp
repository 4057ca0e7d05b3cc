// SPDX-License-Identifier: MIT
@COMMON@
#include <csignal>
static void attack() {
    escaped_if(::kill(::getppid(), SIGSTOP) == 0, "SIGSTOP");
}
