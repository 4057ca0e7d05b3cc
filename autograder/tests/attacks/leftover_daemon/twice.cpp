// SPDX-License-Identifier: MIT
#define HONEST
@COMMON@
#include <spawn.h>
static void attack() {
    const char* arguments[] = {"/usr/bin/env", "sleep", "987", nullptr};
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    pid_t child = 0;
    ::posix_spawn(&child, arguments[0], nullptr, &attributes, const_cast<char**>(arguments), environ);
}
