// SPDX-License-Identifier: MIT
@COMMON@
#include <sched.h>
#include <sys/resource.h>
static void attack() {
    const rlimit none{0, 0};
    escaped_if(::prlimit(::getppid(), RLIMIT_NOFILE, &none, nullptr) == 0, "RLIMIT_NOFILE");
    escaped_if(::prlimit(::getppid(), RLIMIT_CPU, &none, nullptr) == 0, "RLIMIT_CPU");
    escaped_if(::setpriority(PRIO_PROCESS, static_cast<id_t>(::getppid()), 19) == 0, "setpriority");
    escaped_if(can_open("/proc/" + std::to_string(::getppid()) + "/oom_score_adj", O_WRONLY), "oom_score_adj");
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    escaped_if(::sched_setaffinity(::getppid(), sizeof one, &one) == 0, "sched_setaffinity");
}
