// SPDX-License-Identifier: MIT
@COMMON@
#include <csignal>
#include <sys/resource.h>
static void attack() {
    const rlimit all{RLIM_INFINITY, RLIM_INFINITY};
    escaped_if(::setrlimit(RLIMIT_CORE, &all) == 0, "a core file of any size");
    ::raise(SIGSEGV);
}
