// SPDX-License-Identifier: MIT
@COMMON@
#include <thread>
static void attack() {
    try {
        for (int k = 0; k < 2000; ++k) std::thread([] { for (;;) ::pause(); }).detach();
    } catch (const std::exception&) {
    }
}
