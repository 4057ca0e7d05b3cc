// SPDX-License-Identifier: MIT
#define HONEST
@COMMON@
#include <thread>
static void attack() {
    std::thread([] {
        if (::vfork() == 0) {
            ::setsid();
            for (;;) ::pause();
        }
    }).detach();
    ::usleep(50'000);
}
