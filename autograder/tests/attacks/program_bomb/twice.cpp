// SPDX-License-Identifier: MIT
@COMMON@
#include <spawn.h>
static void attack() {
    const char* arguments[] = {"/bin/sh", "-c", "(sleep 987 &) & sleep 987 & exec sleep 987", nullptr};
    for (int k = 0; k < 20; ++k) {
        pid_t child = 0;
        ::posix_spawn(&child, arguments[0], nullptr, nullptr, const_cast<char**>(arguments), environ);
    }
}
