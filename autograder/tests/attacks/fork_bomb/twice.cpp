// SPDX-License-Identifier: MIT
@COMMON@
#include <csignal>
static void attack() {
    for (int k = 0; k < 1000; ++k) {
        const pid_t child = ::fork();
        escaped_if(child > 0, "fork");
        if (child == 0) ::pause();
    }
}
