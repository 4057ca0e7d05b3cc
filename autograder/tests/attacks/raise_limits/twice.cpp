// SPDX-License-Identifier: MIT
@COMMON@
#include <sys/resource.h>
static void attack() {
    for (const auto resource : {RLIMIT_CORE, RLIMIT_FSIZE, RLIMIT_NOFILE}) {
        rlimit limit{};
        ::getrlimit(resource, &limit);
        limit.rlim_max += 1;
        escaped_if(::setrlimit(resource, &limit) == 0, "a limit");
    }
    escaped_if(::nice(-5) != -1, "a higher priority");
}
